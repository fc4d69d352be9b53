package fault

import (
	"context"
	"maps"
	"slices"
	"sync"
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

// Panel holds the switches in force and counts calls. The zero Panel has none set.
type Panel struct {
	mu       sync.Mutex // guards what follows
	switches Switches   // with what is left of their faults
	calls    map[Endpoint]int
}

// SetSwitches replaces all switches, and begins the counts of their faults anew.
func (p *Panel) SetSwitches(switches Switches) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switches.Faults = slices.Clone(switches.Faults)
	p.switches = switches
}

// Switches returns the switches in force, with what is left of their faults.
func (p *Panel) Switches() Switches {
	p.mu.Lock()
	defer p.mu.Unlock()
	switches := p.switches
	switches.Faults = slices.Clone(switches.Faults)
	return switches
}

// Calls returns how many calls came to each endpoint, refused ones included,
// since the beginning or ResetCalls.
func (p *Panel) Calls() map[Endpoint]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.calls)
}

// ResetCalls forgets the counts.
func (p *Panel) ResetCalls() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = nil
}

// Count counts a call.
func (p *Panel) Count(endpoint Endpoint) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == nil {
		p.calls = map[Endpoint]int{}
	}
	p.calls[endpoint]++
}

// Due returns the fault that strikes this call, and counts it; false when none does.
// A fault that is spent leaves the switches.
func (p *Panel) Due(endpoint Endpoint) (Fault, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.switches.Faults, func(f Fault) bool { return f.Endpoint == endpoint || f.Endpoint == "" })
	if i < 0 || endpoint == EndpointOwn {
		return Fault{}, false
	}
	due := p.switches.Faults[i]
	if due.Times > 0 {
		p.switches.Faults[i].Times--
	}
	if due.Times == 1 {
		p.switches.Faults = slices.Delete(p.switches.Faults, i, i+1)
	}
	return due, true
}
