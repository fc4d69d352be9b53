package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"sitesync/internal/wire"
)

// reply is a whole answer before it is written, so that a switch can still
// change it.
type reply struct {
	status     int
	body       []byte
	retryAfter string
	allow      []string // the methods that a 405 names
	takes      schemes  // that a 401 names
	drop       bool     // no answer: the connection ends
}

// jsonReply returns the answer with v as its JSON body.
func jsonReply(status int, v any) (reply, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return reply{}, fmt.Errorf("encode the answer: %w", err)
	}
	return reply{status: status, body: body.Bytes()}, nil
}

// okReply returns the answer 200 with v, or the error that came with it.
func okReply(v any, err error) (reply, error) {
	if err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, v)
}

// write sends the answer; a dropped one ends the connection without a byte.
func (r reply) write(w http.ResponseWriter) {
	if r.drop {
		panic(http.ErrAbortHandler)
	}
	header := w.Header()
	header.Set("Content-Type", "application/json; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(len(r.body)))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	if r.retryAfter != "" {
		header.Set("Retry-After", r.retryAfter)
	}
	if r.allow != nil {
		header.Set("Allow", strings.Join(r.allow, ", "))
	}
	if r.status == http.StatusUnauthorized {
		for _, challenge := range r.takes.challenges() {
			header.Add("WWW-Authenticate", challenge)
		}
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(r.body) // a client that is gone has nothing to be told
}

// problem is a request that is refused with {message}, specification section 7.
type problem struct {
	status  int
	message string
}

func (p problem) Error() string { return p.message }

func (p problem) reply() reply {
	answer, _ := jsonReply(p.status, wire.Message{Message: p.message}) // a string always encodes
	return answer
}

func badRequest(format string, args ...any) problem {
	return problem{http.StatusBadRequest, fmt.Sprintf(format, args...)}
}

func tooLarge(format string, args ...any) problem {
	return problem{http.StatusRequestEntityTooLarge, fmt.Sprintf(format, args...)}
}

func notFound() reply {
	return problem{http.StatusNotFound, "nothing is served at this path"}.reply()
}

// serverError returns the answer to an unexpected error, section 7; reference is
// what the log names as well.
func serverError(reference string) reply {
	answer, _ := jsonReply(http.StatusInternalServerError, wire.ServerError{
		Status:   "InternalServerError",
		Code:     http.StatusInternalServerError,
		Messages: []string{"The request could not be processed. Support reference ID: " + reference},
	})
	return answer
}

// errorReply returns the body that section 7 gives for a bare status.
func errorReply(status int) reply {
	switch status {
	case http.StatusInternalServerError:
		return serverError("switched-on")
	case http.StatusUnauthorized, http.StatusForbidden:
		return problem{status, wire.Unauthorized}.reply()
	}
	return problem{status, strings.ToLower(http.StatusText(status))}.reply()
}
