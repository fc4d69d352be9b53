package fault

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Endpoint names one of the service's operations in switches and counts.
type Endpoint string

// The endpoints of specification sections 4.1 to 4.5; those of search tools count
// together, a kind each. EndpointOther is any other path below /api/, EndpointOwn any
// below /_/, which is neither counted nor struck by faults.
const (
	EndpointPut             Endpoint = "put"
	EndpointPatch           Endpoint = "patch"
	EndpointDelete          Endpoint = "delete"
	EndpointBulkDelete      Endpoint = "bulk-delete"
	EndpointPaths           Endpoint = "paths"
	EndpointRankings        Endpoint = "rankings"
	EndpointQuicklinks      Endpoint = "quicklinks"
	EndpointBanners         Endpoint = "banners"
	EndpointSynonyms        Endpoint = "synonyms"
	EndpointQueryLog        Endpoint = "querylog"
	EndpointClickLog        Endpoint = "clicklog"
	EndpointFeedback        Endpoint = "feedback"
	EndpointSummaryFeedback Endpoint = "summary-feedback"
	EndpointAnswerFeedback  Endpoint = "answer-feedback"
	EndpointAnswerClick     Endpoint = "answer-click"
	EndpointSearch          Endpoint = "search"
	EndpointAutocomplete    Endpoint = "autocomplete"
	EndpointAnswer          Endpoint = "answer"
	EndpointSummarize       Endpoint = "summarize"
	EndpointOther           Endpoint = "other"
	EndpointOwn             Endpoint = "own"
)

// endpoints returns those that a Fault may name.
func endpoints() []Endpoint {
	return []Endpoint{
		EndpointPut, EndpointPatch, EndpointDelete, EndpointBulkDelete, EndpointPaths,
		EndpointRankings, EndpointQuicklinks, EndpointBanners, EndpointSynonyms,
		EndpointQueryLog, EndpointClickLog, EndpointFeedback, EndpointSummaryFeedback, EndpointAnswerFeedback, EndpointAnswerClick,
		EndpointSearch, EndpointAutocomplete, EndpointAnswer, EndpointSummarize, EndpointOther,
	}
}

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
	case f.At == Between && (f.Endpoint != EndpointPut || !f.Answers()):
		return errors.New("at between needs the endpoint put, and drop, status or body")
	case f.Times < 0 || f.DelayMS < 0:
		return errors.New("times and delay_ms can't be below 0")
	}
	return checkStatus(f.Status)
}

// Wait delays the call, and reports whether its client is still there afterwards.
func (f Fault) Wait(ctx context.Context) bool {
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

// Answers reports whether the fault takes the place of the answer.
func (f Fault) Answers() bool { return f.Drop || f.Status != 0 || f.Body != nil }
