package web

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sitesync/internal/wire"
)

const (
	// drainBytes is how much of a body beyond the limit is still read, so that a
	// client that only reads the answer after sending gets to read it.
	drainBytes   = 64 << 20
	maxCrawlerID = 128 // bytes
)

// Call is one request with the right credentials, as a handler sees it.
type Call struct {
	Request  *http.Request
	Customer int64 // of the credentials, or of the path where there are none
	Engine   int64 // of the path; 0 where it names none
	Crawler  string
	Body     []byte // valid UTF-8 within the limit; nil for GET and DELETE
	Strict   bool   // take what the specification shows alone, not all that clients send
}

// A Handler does what a request asks for and returns the answer.
type Handler func(*Call) (Reply, error)

// answer returns the HTTP handler of one route.
func (s *Server) answer(to Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := s.call(to, r)
		if n := int64(len(answer.Body)); err == nil && n > shortBytes {
			var sent func()
			if sent, err = s.hold(r.Context(), s.answers, min(n, s.bounds.Held)); err == nil {
				defer sent()
			}
		}
		if err != nil {
			answer = s.failure(r, err)
		}
		s.options.Logger.Debug("call", "operation", to.Pattern, "path", r.URL.Path, "query", r.URL.RawQuery, "status", answer.Status)
		s.write(w, answer)
	}
}

// call makes the call. A panic of its handler is an error.
func (s *Server) call(to Route, r *http.Request) (answer Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	c, err := s.admit(to, r)
	if err != nil {
		return Reply{}, err
	}
	if slices.Contains([]string{http.MethodPut, http.MethodPatch, http.MethodPost}, r.Method) {
		notJSON := cmp.Or(to.NotJSON, http.StatusUnsupportedMediaType)
		if err := c.readBody(cmp.Or(to.MaxBody, 10_000_000), notJSON); err != nil {
			return Reply{}, err
		}
	}
	if to.InTurn {
		done, err := s.hold(r.Context(), s.searches, 1)
		if err != nil {
			return Reply{}, err
		}
		defer done()
		limited, cancel := context.WithTimeout(r.Context(), s.bounds.Work)
		defer cancel()
		c.Request = r.WithContext(limited)
	}
	return to.Handle(c)
}

// failure returns the answer to an error: its own for what the client did, the
// server error with a reference for the rest.
func (s *Server) failure(r *http.Request, err error) Reply {
	var refused Problem
	switch {
	case errors.As(err, &refused):
		return refused.Reply()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled): // whose client is gone
		return Refused(http.StatusServiceUnavailable, "the search takes too long: ask for less").Reply()
	}
	reference := rand.Text()
	s.options.Logger.Error("call failed", "method", r.Method, "path", r.URL.Path, "reference", reference, "error", err)
	return Problem{Status: http.StatusInternalServerError, Body: map[string]any{
		"status": "InternalServerError", "code": http.StatusInternalServerError,
		"messages": []string{"The request could not be processed. Support reference ID: " + reference},
	}}.Reply()
}

// readBody reads the body of a request, which must say that it is JSON; notJSON is the
// status of one that does not.
func (c *Call) readBody(limit int64, notJSON int) error {
	header := c.Request.Header
	media, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	charset, given := parameters["charset"]
	if !c.Strict && c.Request.ContentLength == 0 && c.Request.URL.RawQuery != "" {
		return nil // all that an event says may stand in its address
	}
	if err != nil || media != "application/json" || given && !strings.EqualFold(charset, "utf-8") || header.Get("Content-Encoding") != "" {
		return Problem{Status: notJSON, Message: "send the body as JSON in UTF-8, with Content-Type: application/json and no Content-Encoding"}
	}
	c.Body, err = io.ReadAll(io.LimitReader(c.Request.Body, limit+1))
	if err != nil {
		return BadRequest("the body ended early")
	}
	if int64(len(c.Body)) > limit {
		_, _ = io.CopyN(io.Discard, c.Request.Body, drainBytes)
		return Refused(http.StatusRequestEntityTooLarge, "the body is larger than %d bytes", limit)
	}
	if !utf8.Valid(c.Body) {
		return BadRequest("the body is not valid UTF-8")
	}
	return nil
}

// admit checks credentials and path of a request (specification sections 1,
// 2.1 and 5). Missing or wrong credentials, and a scheme that the endpoint does not
// take, are 401; a SiteKey is 403 where only Basic is taken (section 5.3) and where
// it is that of another engine (section 5.2).
func (s *Server) admit(to Route, r *http.Request) (*Call, error) {
	c := &Call{Request: r, Crawler: r.PathValue("crawler"), Strict: s.options.Strict}
	scheme, credentials, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	isSiteKey := strings.EqualFold(scheme, "SiteKey")
	forbidden := Refused(http.StatusForbidden, wire.Unauthorized)
	if isSiteKey && to.Takes&SiteKey == 0 {
		return nil, forbidden
	}
	known, rightKey := false, false
	switch {
	case isSiteKey:
		known = c.readSiteKey(credentials)
	case scheme == "" && to.Takes&None != 0:
		known = c.readPath()
	default:
		user, key, _ := r.BasicAuth()
		sum := sha256.Sum256([]byte(key))
		c.Customer, _ = Decimal(user)
		rightKey = subtle.ConstantTimeCompare(sum[:], s.key[:]) == 1
		known = to.Takes&Basic != 0 && rightKey && c.Customer > 0 && c.readPath()
	}
	if !known || s.options.CustomerID != 0 && c.Customer != s.options.CustomerID {
		if rightKey && to.Takes&Basic != 0 { // whoever has the key may know, and the answer can't tell
			s.options.Logger.Warn("refused a call: its key is right, but its customer ID is not that of the address, or not that of this service", "customer", c.Customer)
		}
		return nil, Refused(http.StatusUnauthorized, wire.Unauthorized)
	}
	if isSiteKey && !c.readPath() {
		return nil, forbidden
	}
	if len(c.Crawler) > maxCrawlerID {
		return nil, BadRequest("the crawler ID is longer than %d bytes", maxCrawlerID)
	}
	return c, nil
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
// takes them from it where there are none; false when they differ or are not IDs.
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

// Signer is the secret that IDs are signed with.
type Signer []byte

// Issue returns a new ID of a kind for one engine of a customer. It is signed, so that
// it is known again without having been stored, after a restart too. parent is the
// ID that it belongs to, or empty.
func (s Signer) Issue(kind string, customer, engine int64, parent string) string {
	plain := fmt.Sprintf("%d.%d.%s", customer, engine, rand.Text())
	return plain + "." + s.signature(plain, kind, parent)
}

// Issued returns whom an ID was issued for; false when it was not issued here, byte for
// byte, as one of this kind with this parent.
func (s Signer) Issued(id, kind, parent string) (customer, engine int64, ok bool) {
	end := max(0, strings.LastIndexByte(id, '.'))
	if !hmac.Equal([]byte(id[end:]), []byte("."+s.signature(id[:end], kind, parent))) {
		return 0, 0, false
	}
	_, err := fmt.Sscanf(id, "%d.%d.", &customer, &engine)
	return customer, engine, err == nil
}

func (s Signer) signature(plain, kind, parent string) string {
	mac := hmac.New(sha256.New, s)
	_, _ = fmt.Fprintf(mac, "%s/%s/%s", plain, kind, parent) // never errs
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
