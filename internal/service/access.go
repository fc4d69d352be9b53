package service

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"sitesync/internal/wire"
)

// access decides who is let in, specification section 5.
type access struct {
	customer int64    // 0: any
	key      [32]byte // hash of the API key, so that comparing takes as long for any length
}

// basic returns the customer whose Basic credentials (section 5.1) the request
// carries. Missing or wrong ones are 401; a SiteKey, which management does not
// take (section 5.3), is 403.
func (a access) basic(r *http.Request) (int64, error) {
	user, key, ok := r.BasicAuth()
	if !ok {
		return 0, problem{schemeStatus(r), wire.Unauthorized}
	}
	customer, err := strconv.ParseInt(user, 10, 64)
	sum := sha256.Sum256([]byte(key))
	right := subtle.ConstantTimeCompare(sum[:], a.key[:]) == 1
	if err != nil || !right || a.customer != 0 && customer != a.customer {
		return 0, unauthorized()
	}
	return customer, nil
}

func unauthorized() problem { return problem{http.StatusUnauthorized, wire.Unauthorized} }

func schemeStatus(r *http.Request) int {
	scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "SiteKey") {
		return http.StatusForbidden
	}
	return http.StatusUnauthorized
}

// hostAllowed reports whether the request names a host that is served here. On
// loopback only loopback names with the very port are (a web page elsewhere can
// point its own name at 127.0.0.1 and would otherwise be let in), and what the
// owner listed. Off loopback a list, when there is one, is all there is.
func hostAllowed(r *http.Request, listed []string) bool {
	if slices.ContainsFunc(listed, func(host string) bool { return strings.EqualFold(host, r.Host) }) {
		return true
	}
	local, known := localAddr(r)
	if known && !local.Addr().Unmap().IsLoopback() {
		return len(listed) == 0
	}
	name, port := splitHost(r.Host)
	return isLoopbackName(name) && (!known || port == strconv.Itoa(int(local.Port())))
}

// localAddr returns the address at which the request arrived; false when the
// handler runs without a server.
func localAddr(r *http.Request) (netip.AddrPort, bool) {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return netip.AddrPort{}, false
	}
	parsed, err := netip.ParseAddrPort(addr.String())
	return parsed, err == nil
}

// fromLoopback reports whether the request came from this machine.
func fromLoopback(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback()
}

func splitHost(hostport string) (name, port string) {
	if name, port, err := net.SplitHostPort(hostport); err == nil {
		return name, port
	}
	return strings.Trim(hostport, "[]"), "80"
}

func isLoopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.Unmap().IsLoopback()
}
