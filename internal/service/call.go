package service

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
)

// maxCrawlerID is how long a crawler's ID may be, in bytes.
const maxCrawlerID = 128

// Endpoint names one of the service's operations in switches and counts.
type Endpoint string

// The endpoints of specification section 4.1. EndpointOther is any other path below
// /api/; EndpointAny, in a Fault, stands for all of them.
const (
	EndpointPut        Endpoint = "put"
	EndpointPatch      Endpoint = "patch"
	EndpointDelete     Endpoint = "delete"
	EndpointBulkDelete Endpoint = "bulk-delete"
	EndpointPaths      Endpoint = "paths"
	EndpointOther      Endpoint = "other"
	EndpointAny        Endpoint = "any"
)

// call is one request with the right credentials, as a handler sees it.
type call struct {
	r        *http.Request
	endpoint Endpoint
	customer int64
	crawler  string
	rules    *rules   // the switches as they stood when the call came
	ids      []string // for the log of calls: set by the handler
	gap      bool     // a PUT is to stop between its delete and its index
}

// A handler reads a request without touching the store, and returns what is
// left to do. The two are apart so that a fault can strike between them.
type handler func(*call) (apply, error)

// apply does what a request asks for and returns the answer.
type apply func() (reply, error)

// answer returns the HTTP handler of one endpoint: credentials, request, faults,
// work, log, answer.
func (s *Service) answer(endpoint Endpoint, handle handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		entry := s.calls.begin(endpoint, r)
		answer := s.guarded(endpoint, handle, r, entry)
		s.calls.end(entry, answer)
		s.log.Debug("call", "endpoint", endpoint, "path", r.URL.Path, "query", r.URL.RawQuery, "status", answer.status)
		answer.write(w)
	}
}

// guarded turns a panic of a handler into the server error of section 7.
func (s *Service) guarded(endpoint Endpoint, handle handler, r *http.Request, entry *Call) (answer reply) {
	defer func() {
		if p := recover(); p != nil {
			answer = s.failure(r, fmt.Errorf("panic: %v\n%s", p, debug.Stack()), s.switches.rules())
		}
	}()
	rules := s.switches.rules()
	c, err := s.admit(endpoint, r, rules)
	if err != nil {
		return s.failure(r, err, rules)
	}
	work, err := handle(c)
	if err != nil {
		return s.failure(r, err, rules)
	}
	s.calls.sent(entry, c.ids)
	return s.strike(c, work)
}

// strike does the work, under the fault that is due for the call, if any.
func (s *Service) strike(c *call, work apply) reply {
	fault, due := s.switches.take(c.endpoint)
	if !due {
		return s.do(c, work)
	}
	if fault.At == Before {
		if instead, ok := s.hit(c, fault); ok {
			return instead
		}
		return fault.cut(s.do(c, work))
	}
	c.gap = fault.At == Between
	answer := s.do(c, work)
	if instead, ok := s.hit(c, fault); ok {
		return instead
	}
	return fault.cut(answer)
}

func (s *Service) hit(c *call, fault Fault) (reply, bool) {
	s.log.Debug("a switched-on fault strikes", "endpoint", c.endpoint, "at", fault.At)
	return fault.strike(c.r.Context())
}

func (s *Service) do(c *call, work apply) reply {
	answer, err := work()
	if err != nil {
		return s.failure(c.r, err, c.rules)
	}
	return answer
}

// admit checks credentials and path, specification sections 2.1 and 5.
func (s *Service) admit(endpoint Endpoint, r *http.Request, rules *rules) (*call, error) {
	customer, err := s.access.basic(r)
	if err != nil {
		return nil, err
	}
	if !rules.Region.holds(customer) {
		return nil, unauthorized()
	}
	c := &call{r: r, endpoint: endpoint, customer: customer, crawler: r.PathValue("crawler"), rules: rules}
	if inPath := r.PathValue("customer"); inPath != "" && inPath != strconv.FormatInt(customer, 10) {
		return nil, unauthorized()
	}
	if len(c.crawler) > maxCrawlerID {
		return nil, badRequest("the crawler ID is longer than %d bytes", maxCrawlerID)
	}
	return c, nil
}

// failure returns the answer to an error: {message} for what the client did, the
// server error with a reference for the rest.
func (s *Service) failure(r *http.Request, err error, rules *rules) reply {
	var refused problem
	if !errors.As(err, &refused) {
		reference := rand.Text()
		s.log.Error("call failed", "method", r.Method, "path", r.URL.Path, "reference", reference, slog.Any("error", err))
		return serverError(reference)
	}
	if refused.status == http.StatusUnauthorized && rules.UnauthorizedStatus != 0 {
		refused.status = rules.UnauthorizedStatus
	}
	return refused.reply()
}
