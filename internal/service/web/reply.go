package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Reply is a complete response before it is written.
type Reply struct {
	Status  int
	Body    []byte
	Summary string // ID of the summary that Body holds as plain text; empty if Body is JSON
}

// SummaryID is the response header with the ID of a plain-text summary.
const SummaryID = "Cludo-Summary-Id"

// JSON returns a response with v as its JSON body.
func JSON(status int, v any) (Reply, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Reply{}, fmt.Errorf("encode the answer: %w", err)
	}
	return Reply{Status: status, Body: body.Bytes()}, nil
}

// OK returns a 200 response with v as its JSON body. If err is not nil, OK returns err instead.
func OK(v any, err error) (Reply, error) {
	if err != nil {
		return Reply{}, err
	}
	return JSON(http.StatusOK, v)
}

func (s *Server) writeReply(w http.ResponseWriter, r Reply) {
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
	case http.StatusUnauthorized: // RFC 9110, section 11.6.1, requires these headers
		header.Add("WWW-Authenticate", `SiteKey realm="Site Search Service"`)
		header.Add("WWW-Authenticate", `Basic realm="Site Search Service", charset="UTF-8"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		header.Set("Retry-After", "1")
	}
	w.WriteHeader(r.Status)
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.options.Bounds.Send))
	_, _ = w.Write(r.Body) // the client may be gone
}

// Problem is the error of a refused request. Its response is {"message": ...} or another body of
// specification section 7.
type Problem struct {
	Status  int
	Message string
	Body    any // response body in place of the message; nil: use the message
}

// Error returns the message.
func (p Problem) Error() string { return p.Message }

// Reply returns the HTTP response for the problem.
func (p Problem) Reply() Reply {
	var body any = map[string]string{"message": p.Message}
	if p.Body != nil {
		body = p.Body
	}
	answer, _ := JSON(p.Status, body) // bodies of errors always encode
	return answer
}

// Refused returns a Problem with a status and a formatted message.
func Refused(status int, format string, args ...any) Problem {
	return Problem{Status: status, Message: fmt.Sprintf(format, args...)}
}

// BadRequest returns a Problem with status 400.
func BadRequest(format string, args ...any) Problem {
	return Refused(http.StatusBadRequest, format, args...)
}

// NotFound returns the Problem for a path without an operation.
func NotFound() Problem {
	return Refused(http.StatusNotFound, "nothing is served at this path")
}
