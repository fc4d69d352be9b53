package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"github.com/rs/cors"
)

// CheckHost errs for what is no host name or address as Options.Hosts takes it: as it
// stands in URLs, in lower case, without a port.
func CheckHost(host string) error {
	u, err := whatwg.Parse("http://" + host)
	if err != nil || host == "" || strings.Contains(host, "*") || u.Hostname() != host {
		return fmt.Errorf("host %q is no plain name or address: write it as in a URL, such as search.example.com, in lower case, without scheme and port", host)
	}
	return nil
}

// hostAllowed reports whether a request names a host that is served at the address
// that it came to, with the very port: a web page elsewhere can point its own name at
// any address and would otherwise be let in. On loopback those are loopback names;
// elsewhere that very address, and the names of Options.
func hostAllowed(r *http.Request, names []string) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return false
	}
	name, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		name, port = strings.Trim(r.Host, "[]"), "80"
	}
	own, err := netip.ParseAddrPort(local.String())
	if err != nil || port != fmt.Sprint(own.Port()) {
		return false
	}
	address := own.Addr().Unmap().WithZone("")
	ip, err := netip.ParseAddr(name)
	if address.IsLoopback() {
		return strings.EqualFold(name, "localhost") || err == nil && ip.Unmap().IsLoopback()
	}
	listed := func(host string) bool { return strings.EqualFold(strings.Trim(host, "[]"), name) }
	return err == nil && ip.Unmap().WithZone("") == address || slices.ContainsFunc(names, listed)
}

// isLoopback reports whether an address with a port is reached from this machine
// alone.
func isLoopback(addr net.Addr) bool {
	at, err := netip.ParseAddrPort(addr.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}

// CheckOrigin errs for what is no web origin as browsers send it: scheme, host, and the
// port where it is not the scheme's own.
func CheckOrigin(origin string) error {
	u, err := whatwg.Parse(origin)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" || strings.Contains(origin, "*") { // which the library takes for any text
		return fmt.Errorf("origin %q is none of a web site: write it as https://www.example.com", origin)
	}
	if form := u.Protocol() + "//" + u.Host(); form != origin {
		return fmt.Errorf("origin %q is not what browsers send: write it as %s", origin, form)
	}
	return nil
}

// newCORS lets pages of the listed origins call from browsers, with a SiteKey in the
// header, never with cookies or a login of the browser. Without any there is none,
// since the library takes an empty list for all origins.
func newCORS(origins []string) *cors.Cors {
	if len(origins) == 0 {
		return nil
	}
	return cors.New(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{http.MethodGet, http.MethodPost},
		AllowedHeaders: []string{"Authorization", "Content-Type"},
		MaxAge:         600,
	})
}
