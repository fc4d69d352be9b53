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
	"strconv"
	"strings"
	"unicode/utf8"

	"sitesync/internal/wire"
)

const (
	// drainBytes limits how much of a too long body is read and discarded. Some clients read the response
	// only after they have sent the whole body.
	drainBytes        = 64 << 20
	maxCrawlerIDBytes = 128
)

// Call is one request that passed authentication, as its handler receives it. A customer has engines (site
// searches). A SiteKey is the public key of an engine, which web pages send.
type Call struct {
	Request  *http.Request
	Customer int64 // the customer ID of the credentials, or of the path if the request has no credentials
	Engine   int64 // the engine ID of the path or of the SiteKey; 0 if neither names an engine
	Crawler  string
	Body     []byte // valid UTF-8 within the size limit; nil for GET and DELETE
	Strict   bool   // accept only requests that the specification shows
}

// A Handler performs one operation and returns its response.
type Handler func(*Call) (Reply, error)

func (s *Server) answer(to Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer, err := s.call(to, r)
		if n := int64(len(answer.Body)); err == nil && n > shortBytes {
			var sent func()
			if sent, err = s.hold(r.Context(), s.answers, min(n, s.options.Bounds.Held)); err == nil {
				defer sent()
			}
		}
		if err != nil {
			answer = s.failure(r, err)
		}
		s.options.Logger.Debug("call", "operation", to.Pattern, "url", r.URL, "status", answer.Status)
		s.writeReply(w, answer)
	}
}

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
	if r.Method == http.MethodPut || r.Method == http.MethodPatch || r.Method == http.MethodPost {
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
		limited, cancel := context.WithTimeout(r.Context(), s.options.Bounds.Work)
		defer cancel()
		c.Request = r.WithContext(limited)
	}
	return to.Handle(c)
}

// failure returns the response to an error. A Problem (a refused request) has its own response. The end of a
// context gives 503. Any other error gives 500 with a reference to the line in the log.
func (s *Server) failure(r *http.Request, err error) Reply {
	var refused Problem
	switch {
	case errors.As(err, &refused):
		return refused.Reply()
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return Refused(http.StatusServiceUnavailable, "the search takes too long: ask for less").Reply()
	}
	reference := rand.Text()
	s.options.Logger.Error("call failed", "method", r.Method, "path", r.URL.Path, "reference", reference, "error", err)
	return Problem{Status: http.StatusInternalServerError, Body: map[string]any{
		"status": "InternalServerError", "code": http.StatusInternalServerError,
		"messages": []string{"The request could not be processed. Support reference ID: " + reference},
	}}.Reply()
}

// readBody reads the body of a request. notJSON is the status of the refusal if the request's headers do
// not declare uncompressed JSON in UTF-8.
func (c *Call) readBody(limit int64, notJSON int) error {
	header := c.Request.Header
	media, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	charset, given := parameters["charset"]
	if !c.Strict && c.Request.ContentLength == 0 && c.Request.URL.RawQuery != "" {
		return nil // clients also send events in the query string, without a body
	}
	isUTF8 := !given || strings.EqualFold(charset, "utf-8")
	if err != nil || media != "application/json" || !isUTF8 || header.Get("Content-Encoding") != "" {
		const want = "send the body as JSON in UTF-8, with Content-Type: application/json and no Content-Encoding"
		return Problem{Status: notJSON, Message: want}
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

// admit checks the credentials and the path of a request (specification sections 1, 2.1 and 5). A SiteKey
// gets 403 if the endpoint does not accept SiteKeys (section 5.3). It also gets 403 if the path names another
// customer or engine (section 5.2). Credentials that are missing, wrong or not accepted get 401 in all other
// cases.
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
		if rightKey && to.Takes&Basic != 0 { // tell only the log that the key is right
			const why = "refused a call: its key is right, " +
				"but its customer ID is not that of the address, or not that of this service"
			s.options.Logger.Warn(why, "customer", c.Customer)
		}
		return nil, Refused(http.StatusUnauthorized, wire.Unauthorized)
	}
	if isSiteKey && !c.readPath() {
		return nil, forbidden
	}
	if len(c.Crawler) > maxCrawlerIDBytes {
		return nil, BadRequest("the crawler ID is longer than %d bytes", maxCrawlerIDBytes)
	}
	return c, nil
}

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

// readPath reads the customer and engine IDs of the path into c. It returns false if an ID is invalid, or
// differs from the ID that c has from the credentials.
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

// Decimal parses a positive number without sign or leading zeros. It returns false for any other text.
func Decimal(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != s {
		return 0, false
	}
	return n, true
}

// The kinds of IDs that the service issues in responses, named by the key under which later calls send them.
const (
	IDQuery        = "qid"
	IDConversation = "conversationId"
	IDExchange     = "exchangeId" // issued with the conversation's ID as its parent
	IDSummary      = "summaryId"
)

// Signer is the secret key that signs issued IDs.
type Signer []byte

// Issue returns a new ID of a kind for one engine of a customer. Its signature lets Issued verify it without
// storage, even after a restart. parent is the ID that the new ID belongs to, or empty.
func (s Signer) Issue(kind string, customer, engine int64, parent string) string {
	plain := fmt.Sprintf("%d.%d.%s", customer, engine, rand.Text())
	return plain + "." + s.signature(plain, kind, parent)
}

// Issued returns the customer and the engine that an ID was issued for. ok is false if Issue did not return
// exactly this ID for the same kind and parent.
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
	_, _ = fmt.Fprintf(mac, "%s/%s/%s", plain, kind, parent)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
