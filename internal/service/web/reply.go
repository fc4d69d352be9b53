package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"sitesync/internal/wire"
)

// Reply is a whole answer before it is written, so that a switch can still
// change it.
type Reply struct {
	Status     int
	Body       []byte
	retryAfter string
	allow      []string // the methods that a 405 names
	takes      Schemes  // that a 401 names
	drop       bool     // no answer: the connection ends
}

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

// write sends the answer; a dropped one ends the connection without a byte.
func (r Reply) write(w http.ResponseWriter) {
	if r.drop {
		panic(http.ErrAbortHandler)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
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
	_, _ = w.Write(r.Body) // a client that is gone has nothing to be told
}

// Problem is a request that is refused with {message}, or with field errors, specification
// section 7.
type Problem struct {
	Status  int
	Message string
	Fields  wire.FieldErrors // answered in place of the message
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

// serverError returns the answer to an unexpected error, section 7; reference is
// what the log names as well.
func serverError(reference string) Reply {
	answer, _ := JSON(http.StatusInternalServerError, wire.ServerError{
		Status:   "InternalServerError",
		Code:     http.StatusInternalServerError,
		Messages: []string{"The request could not be processed. Support reference ID: " + reference},
	})
	return answer
}

// shapeOf returns the body that section 7 gives for a bare status.
func shapeOf(status int) Reply {
	p := Problem{Status: status, Message: strings.ToLower(http.StatusText(status))}
	switch status {
	case http.StatusInternalServerError:
		return serverError("switched-on")
	case http.StatusUnauthorized, http.StatusForbidden:
		p.Message = wire.Unauthorized
	}
	return p.Reply()
}
