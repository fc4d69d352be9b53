package service

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sitesync/internal/wire"
)

// maxCrawlerID is how long a crawler's ID may be, in bytes.
const maxCrawlerID = 128

// admit checks credentials, path and body of a request (specification sections 1,
// 2.1 and 5). Missing or wrong credentials, and a scheme that the endpoint does not
// take, are 401; a SiteKey is 403 where only Basic is taken (section 5.3) and where
// it is that of another engine (section 5.2).
func (s *Service) admit(to route, r *http.Request) (*call, error) {
	c := &call{r: r, endpoint: to.endpoint, crawler: r.PathValue("crawler"), switches: s.Switches()}
	scheme, credentials, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	isSiteKey := strings.EqualFold(scheme, "SiteKey")
	if isSiteKey && to.takes&takesSiteKey == 0 {
		return nil, problem{http.StatusForbidden, wire.Unauthorized}
	}
	known := false
	switch {
	case isSiteKey:
		known = c.readSiteKey(credentials)
	case scheme == "" && to.takes&takesNone != 0:
		known = c.readPath()
	default:
		known = to.takes&takesBasic != 0 && c.readBasic(s.key) && c.readPath()
	}
	if !known || s.customer != 0 && c.customer != s.customer || c.switches.WrongRegion {
		return nil, problem{cmp.Or(c.switches.UnauthorizedStatus, http.StatusUnauthorized), wire.Unauthorized}
	}
	if isSiteKey && !c.readPath() {
		return nil, problem{http.StatusForbidden, wire.Unauthorized}
	}
	if len(c.crawler) > maxCrawlerID {
		return nil, badRequest("the crawler ID is longer than %d bytes", maxCrawlerID)
	}
	if to.endpoint != EndpointOther && slices.Contains([]string{http.MethodPut, http.MethodPatch, http.MethodPost}, r.Method) {
		return c, c.readBody()
	}
	return c, nil
}

// readBasic sets the customer of Basic credentials, section 5.1, and reports whether it
// is one and the key is the right one.
func (c *call) readBasic(right [32]byte) bool {
	user, key, _ := c.r.BasicAuth()
	customer, ok := decimal(user)
	sum := sha256.Sum256([]byte(key))
	c.customer = customer
	return subtle.ConstantTimeCompare(sum[:], right[:]) == 1 && ok
}

// readSiteKey sets customer and engine of a SiteKey, section 5.2, and reports whether
// it is one.
func (c *call) readSiteKey(encoded string) bool {
	triple, err := base64.StdEncoding.DecodeString(encoded)
	parts := strings.Split(string(triple), ":")
	if err != nil || len(parts) != 3 || parts[2] != "SearchKey" {
		return false
	}
	customer, customerOK := decimal(parts[0])
	engine, engineOK := decimal(parts[1])
	c.customer, c.engine = customer, engine
	return customerOK && engineOK
}

// readPath compares customer and engine of the path with those of the credentials, or
// takes them from it where there are none; false when they differ or are no IDs.
func (c *call) readPath() bool {
	for name, id := range map[string]*int64{"customer": &c.customer, "engine": &c.engine} {
		raw := c.r.PathValue(name)
		if raw == "" {
			continue
		}
		n, ok := decimal(raw)
		if !ok || *id != 0 && *id != n {
			return false
		}
		*id = n
	}
	return true
}

// decimal returns a positive number in its only form.
func decimal(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n > 0 && strconv.FormatInt(n, 10) == s
}

// setAccess takes over who may reach the service how.
func (s *Service) setAccess(o Options) error {
	var faults []error
	for _, origin := range o.Origins {
		faults = append(faults, CheckOrigin(origin))
	}
	for _, host := range o.Hosts {
		faults = append(faults, CheckHost(host))
	}
	s.cors, s.hosts, s.loopbackOnly = newCORS(o.Origins), o.Hosts, o.LoopbackOnly
	return errors.Join(faults...)
}
