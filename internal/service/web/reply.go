package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"time"
)

// Reply is a whole answer before it is written.
type Reply struct {
	Status  int
	Body    []byte
	Summary string // the ID of the summary that the body is, a plain text; "": it is JSON
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
// long.
func List(rows iter.Seq2[[]byte, error]) (Reply, error) {
	body := []byte("[")
	for row, err := range rows {
		if err != nil {
			return Reply{}, err
		}
		if body = append(append(body, row...), ','); len(body) > maxList {
			break
		}
	}
	return Reply{Status: http.StatusOK, Body: append(bytes.TrimSuffix(body, []byte(",")), ']', '\n')}, nil
}

// write sends the answer to a client that must take it in time.
func (s *Server) write(w http.ResponseWriter, r Reply) {
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	if r.Summary != "" {
		header.Set("Content-Type", "text/plain; charset=utf-8")
		header.Set(SummaryID, r.Summary)
	}
	header.Set("Content-Length", strconv.Itoa(len(r.Body)))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	switch r.Status {
	case http.StatusUnauthorized: // as RFC 9110, section 11.6.1, has it
		header.Add("WWW-Authenticate", `SiteKey realm="Site Search Service"`)
		header.Add("WWW-Authenticate", `Basic realm="Site Search Service", charset="UTF-8"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header.Set("Retry-After", "1")
	}
	w.WriteHeader(r.Status)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.bounds.Send)) // only a test's recorder has none
	_, _ = w.Write(r.Body)                                                            // a client that is gone has nothing to be told
}

// Problem is a request that is refused with {message}, or with another body of specification
// section 7.
type Problem struct {
	Status  int
	Message string
	Body    any // answered in place of the message; nil: none
}

// Error returns the message.
func (p Problem) Error() string { return p.Message }

// Reply returns the answer that says so.
func (p Problem) Reply() Reply {
	var body any = map[string]string{"message": p.Message}
	if p.Body != nil {
		body = p.Body
	}
	answer, _ := JSON(p.Status, body) // strings always encode
	return answer
}

// Refused returns the Problem of a request that is answered with a status and {message}.
func Refused(status int, format string, args ...any) Problem {
	return Problem{Status: status, Message: fmt.Sprintf(format, args...)}
}

// BadRequest returns the Problem of an invalid request.
func BadRequest(format string, args ...any) Problem {
	return Refused(http.StatusBadRequest, format, args...)
}

// NotFound returns the Problem of a path where nothing is served.
func NotFound() Problem {
	return Refused(http.StatusNotFound, "nothing is served at this path")
}
