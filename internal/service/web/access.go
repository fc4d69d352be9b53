package web

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
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
		known = to.Takes&Basic != 0 && c.readBasic(s.key)
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

// readBasic sets the customer of Basic credentials, section 5.1, and reports whether they
// are the right ones at this path.
func (c *Call) readBasic(right [32]byte) bool {
	user, key, _ := c.Request.BasicAuth()
	sum := sha256.Sum256([]byte(key))
	c.Customer, _ = Decimal(user)
	return subtle.ConstantTimeCompare(sum[:], right[:]) == 1 && c.Customer > 0 && c.readPath()
}

// readSiteKey sets customer and engine of a SiteKey, section 5.2, and reports whether
// it is one.
func (c *Call) readSiteKey(encoded string) bool {
	triple, err := base64.StdEncoding.DecodeString(encoded)
	parts := strings.Split(string(triple), ":")
	if err != nil || len(parts) != 3 || parts[2] != "SearchKey" {
		return false
	}
	c.Customer, _ = Decimal(parts[0])
	c.Engine, _ = Decimal(parts[1])
	return c.Customer > 0 && c.Engine > 0
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

// The kinds of IDs that answers hold and later calls bring back.
const (
	IDQuery        = "query"
	IDConversation = "conversation"
	IDExchange     = "exchange" // its parent is a conversation
	IDSummary      = "summary"
)

// macBytes is how much of the signature an ID holds.
const macBytes = 16

// Signer is the secret that IDs are signed with.
type Signer []byte

// Issue returns a new ID of a kind for one engine of a customer. It is signed, so that
// it is known again without having been stored, after a restart too. parent is the
// ID that it belongs to, or empty.
func (s Signer) Issue(kind string, customer, engine int64, parent string) string {
	id := make([]byte, 24, 24+macBytes)
	binary.BigEndian.PutUint64(id, uint64(customer))
	binary.BigEndian.PutUint64(id[8:], uint64(engine))
	_, _ = rand.Read(id[16:]) // never errs
	return base64.RawURLEncoding.EncodeToString(s.sign(id, kind, parent))
}

// Issued returns whom an ID was issued for; false when it was not issued here, byte for
// byte, as one of this kind with this parent.
func (s Signer) Issued(id, kind, parent string) (customer, engine int64, ok bool) {
	raw, err := base64.RawURLEncoding.DecodeString(id) // which skips line ends and bits that are left over
	if err != nil || len(raw) != 24+macBytes || base64.RawURLEncoding.EncodeToString(raw) != id || !hmac.Equal(raw, s.sign(slices.Clone(raw[:24]), kind, parent)) {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(raw)), int64(binary.BigEndian.Uint64(raw[8:])), true
}

// sign appends the signature to the plain part of an ID.
func (s Signer) sign(plain []byte, kind, parent string) []byte {
	mac := hmac.New(sha256.New, s)
	for _, part := range [][]byte{plain, []byte(kind + "/" + parent)} {
		_, _ = mac.Write(part) // never errs
	}
	return append(plain, mac.Sum(nil)[:macBytes]...)
}
