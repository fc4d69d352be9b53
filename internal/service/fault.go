package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// Fault makes calls of one endpoint go wrong. With Drop the connection ends
// without an answer; with Status or Body that is the answer; with neither the
// call is answered as usual, late (DelayMS) or cut (Cut). Calls without the right
// credentials are answered as ever, and not counted.
type Fault struct {
	Endpoint Endpoint `json:"endpoint"`        // "": any
	Times    int      `json:"times,omitempty"` // calls that it strikes; 0: every one
	At       Point    `json:"at,omitempty"`
	DelayMS  int      `json:"delay_ms,omitempty"`
	Drop     bool     `json:"drop,omitempty"`
	Status   int      `json:"status,omitempty"` // default 200 where Body is given
	// RetryAfter is sent as it stands: seconds or a date, or nonsense.
	RetryAfter string `json:"retry_after,omitempty"`
	// Body is sent as it stands; "" is an empty body. Default: the shape that
	// section 7 gives for Status.
	Body *string `json:"body,omitempty"`
	Cut  bool    `json:"cut,omitempty"` // the answer's body ends in its middle
}

// Point is when in a call a fault strikes.
type Point string

// The points of a call. Between is for PUT alone: the old documents are deleted
// and the new ones not indexed yet. A delay whose client leaves ends the call
// where it stands: before, nothing is applied.
const (
	Before  Point = ""
	Between Point = "between"
	After   Point = "after"
)

func (f Fault) check() error {
	switch {
	case f.Endpoint != "" && !slices.Contains(endpoints(), f.Endpoint):
		return fmt.Errorf("endpoint %q is none of %q", f.Endpoint, endpoints())
	case !slices.Contains([]Point{Before, Between, After}, f.At):
		return fmt.Errorf("at %q is none of between, after", f.At)
	case f.At == Between && (f.Endpoint != EndpointPut || !f.answers()):
		return errors.New("at between needs the endpoint put, and drop, status or body")
	case f.Times < 0 || f.DelayMS < 0:
		return errors.New("times and delay_ms can't be below 0")
	}
	return checkStatus(f.Status)
}

// due returns the fault that strikes this call, false when none does, and counts
// it. A fault that is spent leaves the switches.
func (s *Service) due(endpoint Endpoint) (Fault, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.switches.Faults, func(f Fault) bool { return f.Endpoint == endpoint || f.Endpoint == "" })
	if i < 0 || endpoint == endpointOwn {
		return Fault{}, false
	}
	fault := s.switches.Faults[i]
	if fault.Times > 0 {
		s.switches.Faults[i].Times--
	}
	if fault.Times == 1 {
		s.switches.Faults = slices.Delete(s.switches.Faults, i, i+1)
	}
	return fault, true
}

// strike makes the call under a fault.
func (s *Service) strike(f Fault, c *call, handle handler) (answer reply, err error) {
	c.gap = f.At == Between
	if f.At != Before {
		answer, err = handle(c)
	}
	s.log.Debug("a switched-on fault strikes", "endpoint", c.endpoint, "at", f.At)
	if !f.wait(c.r.Context()) {
		return reply{drop: true}, nil
	}
	switch {
	case f.answers():
		answer, err = f.reply(), nil
	case f.At == Before:
		answer, err = handle(c)
	}
	if f.Cut {
		answer.body = answer.body[:len(answer.body)/2]
	}
	return answer, err
}

// wait delays the call, and reports whether its client is still there afterwards.
func (f Fault) wait(ctx context.Context) bool {
	if f.DelayMS == 0 {
		return true
	}
	select {
	case <-time.After(time.Duration(f.DelayMS) * time.Millisecond):
		return true
	case <-ctx.Done():
		return false
	}
}

// answers reports whether the fault takes the place of the answer.
func (f Fault) answers() bool { return f.Drop || f.Status != 0 || f.Body != nil }

func (f Fault) reply() reply {
	answer := errorReply(cmp.Or(f.Status, http.StatusOK))
	if f.Body != nil {
		answer.body = []byte(*f.Body)
	}
	answer.retryAfter, answer.drop = f.RetryAfter, f.Drop
	return answer
}
