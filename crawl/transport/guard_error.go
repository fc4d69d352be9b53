package transport

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"

	"sitesync/internal/weburl"
)

// RefusedError is the guard's refusal to connect: an address that is neither
// public nor opened by the configuration.
type RefusedError struct {
	Host  string     // as it was asked for, a name or a literal
	Port  string     // in decimal
	Addr  netip.Addr // what Host resolved to
	Block string     // what the address belongs to, in words
	URL   string     // where a redirect led, without its query; empty: what was asked for

	opens blockOpening
	start bool // Host is a start host
}

// Error names host, address and, where there is one, the line of the
// configuration that would allow the connection.
func (e *RefusedError) Error() string {
	what := e.Host + " is"
	if e.Host != e.Addr.String() {
		what = fmt.Sprintf("%s resolves to %s,", e.Host, e.Addr)
	}
	text := fmt.Sprintf("%s %s: not connected; %s", what, e.Block, e.Remedy())
	if e.URL != "" {
		text = "redirected to " + e.URL + ": " + text
	}
	return text
}

// nameRedirect adds the URL to a refusal that somebody other than the caller, a
// redirect, asked for.
func nameRedirect(err error, req *http.Request) error {
	var refused *RefusedError
	if req.Response == nil || !errors.As(err, &refused) {
		return err
	}
	named := *refused
	named.URL = weburl.RequestOrigin(req.URL) + req.URL.EscapedPath()
	return &named
}

// Remedy says which line of the configuration would allow the connection.
func (e *RefusedError) Remedy() string {
	var line string
	switch e.opens {
	case byStart:
		line = fmt.Sprintf(`to crawl this machine write under [site]: start = ["http://%s/"]`, net.JoinHostPort(e.loopbackName(), e.Port))
	case byNetwork, byAddress:
		line = fmt.Sprintf(`to allow it write under [fetch]: networks = ["%s/%d"]`, e.Addr, e.Addr.BitLen())
		if !e.start {
			line += fmt.Sprintf(", and add an address of %s to site.start", e.Host)
		}
	default:
		line = "no configuration allows it"
	}
	return line
}

// loopbackName is how a start address has to name the host.
func (e *RefusedError) loopbackName() string {
	if e.Host == "localhost" {
		return e.Host
	}
	return e.Addr.String()
}
