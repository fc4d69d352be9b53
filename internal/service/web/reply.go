package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/wire"
)

// Reply is a whole answer before it is written.
type Reply struct {
	Status     int
	Body       []byte
	Summary    string // the ID of the summary that the body is, a plain text; "": it is JSON
	sent       func() // once it is
	retryAfter string
	allow      []string // the methods that a 405 names
	takes      Schemes  // that a 401 names
	drop       bool     // no answer: the connection ends
}

// SummaryID is the header that names a summary which is a plain text.
const SummaryID = "Cludo-Summary-Id"

// JSON returns the answer with v as its JSON body.
func JSON(status int, v any) (Reply, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Reply{}, fmt.Errorf("encode the answer: %w", err)
	}
	return Reply{Status: status, Body: body.Bytes()}, nil
}

// OK returns the answer 200 with v, or the error that came with it.
func OK(v any, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	return JSON(http.StatusOK, v)
}

// maxList is how many bytes of a list are answered, but for the last of its values.
const maxList = 4 << 20

// List returns the answer 200 with an array of JSON values, the first of all where they are
// long. The query parameter limit is how many at most; it errs when that is no number above 0.
func List(c *Call, rows iter.Seq2[[]byte, error]) (Reply, error) {
	limit := int64(math.MaxInt64)
	if raw, given := c.Request.URL.Query()["limit"]; given {
		n, ok := Decimal(raw[0])
		if !ok {
			return Reply{}, BadRequest("limit must be a number, 1 or more")
		}
		limit = n
	}
	body := []byte("[")
	for row, err := range rows {
		if err != nil {
			return Reply{}, err
		}
		body = append(append(body, row...), ',')
		if limit--; limit == 0 || len(body) > maxList {
			break
		}
	}
	return Reply{Status: http.StatusOK, Body: append(bytes.TrimSuffix(body, []byte(",")), ']', '\n')}, nil
}

// write sends the answer to a client that must take it in time; a dropped one ends the
// connection without a byte.
func (s *Server) write(w http.ResponseWriter, r Reply) {
	if r.drop {
		panic(http.ErrAbortHandler)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	if r.Summary != "" {
		header.Set("Content-Type", "text/plain; charset=utf-8")
		header.Set(SummaryID, r.Summary)
	}
	header.Set("Content-Length", strconv.Itoa(len(r.Body)))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	if r.retryAfter != "" {
		header.Set("Retry-After", r.retryAfter)
	}
	if r.allow != nil {
		header.Set("Allow", strings.Join(r.allow, ", "))
	}
	if r.Status == http.StatusUnauthorized {
		if r.takes&SiteKey != 0 { // as RFC 9110, section 11.6.1, has it
			header.Add("WWW-Authenticate", `SiteKey realm="Site Search Service"`)
		}
		if r.takes&Basic != 0 {
			header.Add("WWW-Authenticate", `Basic realm="Site Search Service", charset="UTF-8"`)
		}
	}
	w.WriteHeader(r.Status)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.bounds.Send)) // only a test's recorder has none
	_, _ = w.Write(r.Body)                                                            // a client that is gone has nothing to be told
}

// Problem is a request that is refused with {message}, or with field errors, specification
// section 7.
type Problem struct {
	Status  int
	Message string
	Fields  wire.FieldErrors // answered in place of the message

	RetryAfter time.Duration // after which the same request may pass; 0: none
}

// Error returns the message.
func (p Problem) Error() string { return p.Message }

// Reply returns the answer that says so.
func (p Problem) Reply() Reply {
	var body any = wire.Message{Message: p.Message}
	if p.Fields != nil {
		body = p.Fields
	}
	answer, _ := JSON(p.Status, body) // strings always encode
	if p.RetryAfter > 0 {
		answer.retryAfter = strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds())))
	}
	return answer
}

// BadRequest returns the Problem of an invalid request.
func BadRequest(format string, args ...any) Problem {
	return Problem{Status: http.StatusBadRequest, Message: fmt.Sprintf(format, args...)}
}

// TooLarge returns the Problem of a body or an array beyond the limits.
func TooLarge(format string, args ...any) Problem {
	return Problem{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf(format, args...)}
}

// NotFound returns the Problem of a path where nothing is served.
func NotFound() Problem {
	return Problem{Status: http.StatusNotFound, Message: "nothing is served at this path"}
}
