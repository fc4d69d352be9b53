package service

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"runtime/debug"
	"strings"
	"unicode/utf8"
)

// drainBytes is how much of a body beyond the limit is still read, so that a
// client that only reads the answer after sending gets to read it.
const drainBytes = 64 << 20

// call is one request with the right credentials, as a handler sees it.
type call struct {
	r        *http.Request
	endpoint Endpoint
	customer int64 // of the credentials, or of the path where there are none
	engine   int64 // of the path; 0 where it names none
	crawler  string
	body     []byte   // valid UTF-8 within the limit; nil for GET and DELETE
	switches Switches // as they stood when the call came
	gap      bool     // a PUT is to stop between its delete and its index
}

// A handler does what a request asks for and returns the answer.
type handler func(*call) (reply, error)

// answer returns the HTTP handler of one route.
func (s *Service) answer(to route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if to.endpoint != endpointOwn {
			s.mu.Lock()
			s.calls[to.endpoint]++
			s.mu.Unlock()
		}
		answer, err := s.guarded(to, r)
		if err != nil {
			answer = s.failure(r, err)
		}
		answer.takes = to.takes
		s.log.Debug("call", "endpoint", to.endpoint, "path", r.URL.Path, "query", r.URL.RawQuery, "status", answer.status)
		answer.write(w)
	}
}

// guarded makes the call; a panic of its handler is an error.
func (s *Service) guarded(to route, r *http.Request) (answer reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	c, err := s.admit(to, r)
	if err != nil {
		return reply{}, err
	}
	fault, due := s.due(to.endpoint)
	if !due {
		return to.handle(c)
	}
	return s.strike(fault, c, to.handle)
}

// failure returns the answer to an error: its own for what the client did, the
// server error with a reference for the rest.
func (s *Service) failure(r *http.Request, err error) reply {
	var refused interface{ reply() reply }
	if errors.As(err, &refused) {
		return refused.reply()
	}
	if errors.Is(err, context.Canceled) {
		return reply{drop: true} // the client is gone
	}
	reference := rand.Text()
	s.log.Error("call failed", "method", r.Method, "path", r.URL.Path, "reference", reference, "error", err)
	return serverError(reference)
}

// readBody reads the body of a request, which must say that it is JSON.
func (c *call) readBody() (err error) {
	if err := checkMedia(c.r.Header); err != nil {
		return err
	}
	limit := c.maxBody()
	if c.body, err = io.ReadAll(io.LimitReader(c.r.Body, limit+1)); err != nil {
		return badRequest("the body ended early")
	}
	if int64(len(c.body)) > limit {
		_, _ = io.CopyN(io.Discard, c.r.Body, drainBytes)
		return tooLarge("the body is larger than %d bytes", limit)
	}
	if !utf8.Valid(c.body) {
		return badRequest("the body is not valid UTF-8")
	}
	return nil
}

func checkMedia(header http.Header) error {
	media, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	charset, given := parameters["charset"]
	if err != nil || media != "application/json" || given && !strings.EqualFold(charset, "utf-8") || header.Get("Content-Encoding") != "" {
		return problem{http.StatusUnsupportedMediaType, "the body must be application/json in UTF-8, not encoded further"}
	}
	return nil
}
