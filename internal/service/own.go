package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// ownRoutes registers what is no part of the specified interface.
//
//	GET    /_/crawlers/{customer}/{crawler}/documents   array of Document, by ID
//	GET    /_/crawlers/{customer}/{crawler}/queue       Queue
//	PUT    /_/crawlers/{customer}/{crawler}/active      true or false
//	GET    /_/calls                                     {counts, log}
//	DELETE /_/calls                                     forget them
//	GET    /_/switches                                  Switches, with what is left of their faults
//	POST   /_/switches                                  Switches in place of all others; from loopback only
func (s *Service) ownRoutes() {
	s.route("/_/crawlers/{customer}/{crawler}/documents", methods{http.MethodGet: s.showDocuments})
	s.route("/_/crawlers/{customer}/{crawler}/queue", methods{http.MethodGet: s.own(s.showQueue)})
	s.route("/_/crawlers/{customer}/{crawler}/active", methods{http.MethodPut: s.own(s.putActive)})
	s.route("/_/calls", methods{
		http.MethodGet:    s.own(s.showCalls),
		http.MethodDelete: s.own(s.forgetCalls),
	})
	s.route("/_/switches", methods{
		http.MethodGet:  s.own(s.showSwitches),
		http.MethodPost: s.own(s.postSwitches),
	})
}

// SetSwitches replaces all switches, and begins the counts of their faults anew.
// It errs when one makes no sense, and with ErrExposed when the service listens
// off loopback.
func (s *Service) SetSwitches(switches Switches) error { return s.switches.set(switches) }

// Switches returns the switches in force, with what is left of their faults.
func (s *Service) Switches() Switches { return s.switches.left() }

// own answers outside of faults and counts.
func (s *Service) own(handle func(*call) (reply, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rules := s.switches.rules()
		c, err := s.admit("", r, rules)
		if err != nil {
			s.failure(r, err, rules).write(w)
			return
		}
		s.do(c, func() (reply, error) { return handle(c) }).write(w)
	}
}

// showDocuments streams; where the store fails in the middle, the connection
// ends, so that a part is never taken for the whole.
func (s *Service) showDocuments(w http.ResponseWriter, r *http.Request) {
	rules := s.switches.rules()
	c, err := s.admit("", r, rules)
	if err != nil {
		s.failure(r, err, rules).write(w)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	separator := "["
	for doc, err := range s.Documents(c.customer, c.crawler) {
		_, gone := io.WriteString(w, separator)
		if err := errors.Join(err, gone, enc.Encode(doc)); err != nil {
			s.log.Error("documents not shown", "path", r.URL.Path, "error", err)
			panic(http.ErrAbortHandler)
		}
		separator = ","
	}
	_, _ = io.WriteString(w, strings.TrimPrefix(separator, ",")+"]") // a client that is gone has nothing to be told
}

func (s *Service) showQueue(c *call) (reply, error) {
	queue, err := s.Queue(c.customer, c.crawler)
	if err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, queue)
}

func (s *Service) putActive(c *call) (reply, error) {
	body, err := readJSON(c)
	if err != nil {
		return reply{}, err
	}
	var active *bool
	if json.Unmarshal(body, &active) != nil || active == nil {
		return reply{}, badRequest("the body must be true or false")
	}
	if err := s.SetActive(c.customer, c.crawler, *active); err != nil {
		return reply{}, err
	}
	return jsonReply(http.StatusOK, *active)
}

func (s *Service) showCalls(*call) (reply, error) {
	return jsonReply(http.StatusOK, map[string]any{"counts": s.Calls(), "log": s.Log()})
}

func (s *Service) forgetCalls(c *call) (reply, error) {
	s.ResetCalls()
	return s.showCalls(c)
}

func (s *Service) showSwitches(*call) (reply, error) {
	return jsonReply(http.StatusOK, s.Switches())
}

// postSwitches is strict: a switch misspelt would make a test pass for nothing.
func (s *Service) postSwitches(c *call) (reply, error) {
	if !fromLoopback(c.r) {
		return reply{}, problem{http.StatusForbidden, "switches are set from loopback only"}
	}
	body, err := readJSON(c)
	if err != nil {
		return reply{}, err
	}
	var switches Switches
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&switches); err != nil {
		return reply{}, badRequest("switches: %v", err)
	}
	if err := s.SetSwitches(switches); errors.Is(err, ErrExposed) {
		return reply{}, problem{http.StatusForbidden, err.Error()}
	} else if err != nil {
		return reply{}, badRequest("%v", err)
	}
	return s.showSwitches(c)
}
