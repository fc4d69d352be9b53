package service

import (
	"cmp"
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

// maxCrawlerID is how long a crawler's ID may be, in bytes.
const maxCrawlerID = 128

// admit checks credentials, path and body of a request (specification sections 1,
// 2.1 and 5). Missing or wrong Basic credentials are 401; a SiteKey, which
// management does not take (section 5.3), is 403.
func (s *Service) admit(endpoint Endpoint, r *http.Request) (*call, error) {
	c := &call{r: r, endpoint: endpoint, crawler: r.PathValue("crawler"), switches: s.Switches()}
	if scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " "); strings.EqualFold(scheme, "SiteKey") {
		return nil, problem{http.StatusForbidden, wire.Unauthorized}
	}
	if !s.authorised(c) || c.switches.WrongRegion {
		return nil, problem{cmp.Or(c.switches.UnauthorizedStatus, http.StatusUnauthorized), wire.Unauthorized}
	}
	if len(c.crawler) > maxCrawlerID {
		return nil, badRequest("the crawler ID is longer than %d bytes", maxCrawlerID)
	}
	if endpoint != EndpointOther && slices.Contains([]string{http.MethodPut, http.MethodPatch, http.MethodPost}, r.Method) {
		return c, c.readBody()
	}
	return c, nil
}

// authorised sets the customer of a call, section 5.1, and reports whether it is
// the one of the key and of the path.
func (s *Service) authorised(c *call) bool {
	user, key, _ := c.r.BasicAuth()
	customer, err := strconv.ParseInt(user, 10, 64)
	sum := sha256.Sum256([]byte(key))
	inPath := c.r.PathValue("customer")
	c.customer = customer
	return subtle.ConstantTimeCompare(sum[:], s.key[:]) == 1 && err == nil &&
		(s.customer == 0 || customer == s.customer) && (inPath == "" || inPath == strconv.FormatInt(customer, 10))
}

// hostAllowed reports whether the request names a host that is served here: on
// loopback only loopback names with the very port, since a web page elsewhere can
// point its own name at 127.0.0.1 and would otherwise be let in.
func hostAllowed(r *http.Request) bool {
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil || !isLoopback(local) {
		return local != nil
	}
	name, port, err := net.SplitHostPort(r.Host)
	if err != nil {
		name, port = strings.Trim(r.Host, "[]"), "80"
	}
	ip, err := netip.ParseAddr(name)
	_, own, _ := net.SplitHostPort(local.String())
	return port == own && (strings.EqualFold(name, "localhost") || err == nil && ip.Unmap().IsLoopback())
}

// isLoopback reports whether an address with a port is reached from this machine
// alone.
func isLoopback(addr net.Addr) bool {
	at, err := netip.ParseAddrPort(addr.String())
	return err == nil && at.Addr().Unmap().IsLoopback()
}
