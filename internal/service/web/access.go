package web

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"sitesync/internal/service/fault"
	"sitesync/internal/wire"
)

// maxCrawlerID is how long a crawler's ID may be, in bytes.
const maxCrawlerID = 128

// admit checks credentials, path and body of a request (specification sections 1,
// 2.1 and 5). Missing or wrong credentials, and a scheme that the endpoint does not
// take, are 401; a SiteKey is 403 where only Basic is taken (section 5.3) and where
// it is that of another engine (section 5.2).
func (s *Server) admit(to Route, r *http.Request) (*Call, error) {
	c := &Call{Request: r, Endpoint: to.Endpoint, Crawler: r.PathValue("crawler"), Switches: s.panel.Switches()}
	scheme, credentials, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	isSiteKey := strings.EqualFold(scheme, "SiteKey")
	if isSiteKey && to.Takes&SiteKey == 0 {
		return nil, Problem{http.StatusForbidden, wire.Unauthorized}
	}
	known := false
	switch {
	case isSiteKey:
		known = c.readSiteKey(credentials)
	case scheme == "" && to.Takes&None != 0:
		known = c.readPath()
	default:
		known = to.Takes&Basic != 0 && c.readBasic(s.key) && c.readPath()
	}
	if !known || s.customer != 0 && c.Customer != s.customer || c.Switches.WrongRegion {
		return nil, Problem{cmp.Or(c.Switches.UnauthorizedStatus, http.StatusUnauthorized), wire.Unauthorized}
	}
	if isSiteKey && !c.readPath() {
		return nil, Problem{http.StatusForbidden, wire.Unauthorized}
	}
	if len(c.Crawler) > maxCrawlerID {
		return nil, BadRequest("the crawler ID is longer than %d bytes", maxCrawlerID)
	}
	limit := c.Switches.ByteLimit()
	if to.Endpoint != fault.EndpointOther && slices.Contains([]string{http.MethodPut, http.MethodPatch, http.MethodPost}, r.Method) {
		if to.MaxBody > 0 {
			limit = min(limit, to.MaxBody)
		}
		return c, c.readBody(limit)
	}
	return c, nil
}

// readBasic sets the customer of Basic credentials, section 5.1, and reports whether it
// is one and the key is the right one.
func (c *Call) readBasic(right [32]byte) bool {
	user, key, _ := c.Request.BasicAuth()
	customer, ok := Decimal(user)
	sum := sha256.Sum256([]byte(key))
	c.Customer = customer
	return subtle.ConstantTimeCompare(sum[:], right[:]) == 1 && ok
}

// readSiteKey sets customer and engine of a SiteKey, section 5.2, and reports whether
// it is one.
func (c *Call) readSiteKey(encoded string) bool {
	triple, err := base64.StdEncoding.DecodeString(encoded)
	parts := strings.Split(string(triple), ":")
	if err != nil || len(parts) != 3 || parts[2] != "SearchKey" {
		return false
	}
	customer, customerOK := Decimal(parts[0])
	engine, engineOK := Decimal(parts[1])
	c.Customer, c.Engine = customer, engine
	return customerOK && engineOK
}

// readPath compares customer and engine of the path with those of the credentials, or
// takes them from it where there are none; false when they differ or are no IDs.
func (c *Call) readPath() bool {
	for name, id := range map[string]*int64{"customer": &c.Customer, "engine": &c.Engine} {
		raw := c.Request.PathValue(name)
		if raw == "" {
			continue
		}
		n, ok := Decimal(raw)
		if !ok || *id != 0 && *id != n {
			return false
		}
		*id = n
	}
	return true
}

// Decimal returns a positive number in its only form, 0 and false for other text.
func Decimal(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != s {
		return 0, false
	}
	return n, true
}
