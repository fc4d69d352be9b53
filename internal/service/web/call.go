package web

import (
	"cmp"
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

	"sitesync/internal/service/fault"
)

// drainBytes is how much of a body beyond the limit is still read, so that a
// client that only reads the answer after sending gets to read it.
const drainBytes = 64 << 20

// Call is one request with the right credentials, as a handler sees it.
type Call struct {
	Request  *http.Request
	Endpoint fault.Endpoint
	Customer int64 // of the credentials, or of the path where there are none
	Engine   int64 // of the path; 0 where it names none
	Crawler  string
	Body     []byte         // valid UTF-8 within the limit; nil for GET and DELETE
	Switches fault.Switches // as they stood when the call came
	Gap      bool           // a PUT is to stop between its delete and its index
}

// A Handler does what a request asks for and returns the answer.
type Handler func(*Call) (Reply, error)

// answer returns the HTTP handler of one route.
func (s *Server) answer(to Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if to.Endpoint != fault.EndpointOwn {
			s.panel.Count(to.Endpoint)
		}
		answer, err := s.call(to, r)
		if err != nil {
			answer = s.failure(r, err)
		}
		answer.takes = to.Takes
		s.log.Debug("call", "endpoint", to.Endpoint, "path", r.URL.Path, "query", r.URL.RawQuery, "status", answer.Status)
		answer.write(w)
	}
}

// call makes the call, under a fault where one is due. A panic of its handler is an error.
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
	if to.Endpoint != fault.EndpointOwn {
		if f, due := s.panel.Due(to.Endpoint); due {
			return s.strike(f, c, to.Handle)
		}
	}
	return to.Handle(c)
}

// strike makes the call under a fault.
func (s *Server) strike(f fault.Fault, c *Call, handle Handler) (answer Reply, err error) {
	c.Gap = f.At == fault.Between
	if f.At != fault.Before {
		answer, err = handle(c)
	}
	s.log.Debug("a switched-on fault strikes", "endpoint", c.Endpoint, "at", f.At)
	if !f.Wait(c.Request.Context()) {
		return Reply{drop: true}, nil
	}
	switch {
	case f.Answers():
		answer, err = shapeOf(cmp.Or(f.Status, http.StatusOK)), nil
		if f.Body != nil {
			answer.Body = []byte(*f.Body)
		}
		answer.retryAfter, answer.drop = f.RetryAfter, f.Drop
	case f.At == fault.Before:
		answer, err = handle(c)
	}
	if f.Cut {
		answer.Body = answer.Body[:len(answer.Body)/2]
	}
	return answer, err
}

// failure returns the answer to an error: its own for what the client did, the
// server error with a reference for the rest.
func (s *Server) failure(r *http.Request, err error) Reply {
	var refused interface{ Reply() Reply }
	if errors.As(err, &refused) {
		return refused.Reply()
	}
	if errors.Is(err, context.Canceled) {
		return Reply{drop: true} // the client is gone
	}
	reference := rand.Text()
	s.log.Error("call failed", "method", r.Method, "path", r.URL.Path, "reference", reference, "error", err)
	return serverError(reference)
}

// readBody reads the body of a request, which must say that it is JSON.
func (c *Call) readBody(limit int64) error {
	header := c.Request.Header
	media, parameters, err := mime.ParseMediaType(header.Get("Content-Type"))
	charset, given := parameters["charset"]
	if err != nil || media != "application/json" || given && !strings.EqualFold(charset, "utf-8") || header.Get("Content-Encoding") != "" {
		return Problem{http.StatusUnsupportedMediaType, "the body must be application/json in UTF-8, not encoded further"}
	}
	if c.Body, err = io.ReadAll(io.LimitReader(c.Request.Body, limit+1)); err != nil {
		return BadRequest("the body ended early")
	}
	if int64(len(c.Body)) > limit {
		_, _ = io.CopyN(io.Discard, c.Request.Body, drainBytes)
		return TooLarge("the body is larger than %d bytes", limit)
	}
	if !utf8.Valid(c.Body) {
		return BadRequest("the body is not valid UTF-8")
	}
	return nil
}
