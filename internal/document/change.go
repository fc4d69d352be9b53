package document

import "encoding/json"

// Op is a call that changes the index.
type Op string

// The operations of specification section 4.1.
const (
	Put        Op = "put"
	Patch      Op = "patch"
	Delete     Op = "delete"
	BulkDelete Op = "bulk-delete"
	Queue      Op = "queue"
)

// Cause is why a change is due.
type Cause string

// The causes, as they appear in plans, reports and approvals.
const (
	CauseNew        Cause = "new"
	CauseChanged    Cause = "changed"
	CauseRules      Cause = "rules"
	CauseRepair     Cause = "repair"
	CauseRetry      Cause = "retry"
	CauseInDoubt    Cause = "in-doubt"
	CauseMoved      Cause = "moved"
	CauseRedirected Cause = "redirected"
	CauseGone       Cause = "gone"
	CauseMissing    Cause = "missing"
	CauseSoft404    Cause = "soft-404"
	CauseNoIndex    Cause = "noindex"
	CauseDuplicate  Cause = "duplicate"
	CauseOutOfScope Cause = "out-of-scope"
	CauseRobots     Cause = "robots"
	CauseOrphan     Cause = "orphan"
	CauseExpired    Cause = "expired"
)

// State is how far a change has come: planned → acknowledged, refused, in doubt
// or held.
type State string

// The states of a change.
const (
	Planned      State = "planned"
	Acknowledged State = "acknowledged"
	Refused      State = "refused"
	InDoubt      State = "in-doubt"
	Held         State = "held"
)

// Brake names what holds a change back; empty when nothing does.
type Brake string

// The brakes.
const (
	BrakeNone       Brake = ""
	BrakeTotal      Brake = "total"
	BrakeIncomplete Brake = "incomplete"
	BrakeHost       Brake = "host"        // on a host that is not ok nothing is deleted, and nothing turns to what many pages show
	BrakeClock      Brake = "clock"       // retention, while the clock is not to be believed
	BrakeTarget     Brake = "target"      // the document that takes its place is not acknowledged
	BrakeOrigin     Brake = "origin"      // of a start origin that was not approved yet
	BrakeGroup      Brake = "group"       // more than half of a host, folder or type would go
	BrakeMassUpdate Brake = "mass-update" // many pages turn to one body, or to one address
	BrakeHealth     Brake = "health"      // more than half of a group's documents lost what they had
	BrakeRetention  Brake = "retention"   // the first effect of a retention rule
)

// Change is one due change of the index.
type Change struct {
	Op       Op              `json:"op"`
	ID       string          `json:"id"`
	Type     Type            `json:"type,omitempty"`
	Cause    Cause           `json:"cause"`
	Fields   []string        `json:"fields,omitempty"`   // names of the fields that differ
	Doc      json.RawMessage `json:"doc,omitempty"`      // wire bytes for put and patch
	Filter   json.RawMessage `json:"filter,omitempty"`   // of a bulk delete: the filter of the call that takes the document
	Needs    string          `json:"needs,omitempty"`    // ID that must be acknowledged first
	Doubt    bool            `json:"doubt,omitempty"`    // its record is not ok: the index may not hold it
	Again    bool            `json:"again,omitempty"`    // an earlier run tried to change the document, and failed
	Evidence string          `json:"evidence,omitempty"` // in words
	Next     *Record         `json:"next,omitempty"`     // the record once acknowledged; nil: removed
	State    State           `json:"state"`
	Brake    Brake           `json:"brake,omitempty"`
	Group    string          `json:"group,omitempty"` // what tripped the brake, where it judges by groups
}

// Tripped is one brake that held changes in a run, and why: a group's brake has one
// for each group.
type Tripped struct {
	Brake   Brake  `json:"brake"`
	Group   string `json:"group,omitempty"` // a host's address, a folder's, or a type
	Held    int    `json:"held"`            // changes
	Why     string `json:"why"`             // in words, with the figures and the limit
	Line    string `json:"line,omitempty"`  // FILE:LINE of the configuration, where that is the cause
	Release string `json:"release"`         // the command; empty: nothing releases it
}

// Delta is the difference between a document and what its record says the index
// holds.
type Delta struct {
	Changed []string // names of fields that are new or differ, sorted
	Lost    []string // names of fields that the index has and the document has not, sorted
	Type    bool     // the type differs
}

// Same reports whether there is no difference.
func (d Delta) Same() bool { return len(d.Changed) == 0 && len(d.Lost) == 0 && !d.Type }

// Outcome is what became of one change that was sent.
type Outcome struct {
	ID     string
	State  State  // acknowledged, refused or in-doubt
	By     string // "row" or "status" when acknowledged
	Reason string
}

// Entry is a change as results and the history show it: without its bytes.
type Entry struct {
	Op       Op       `json:"op"`
	ID       string   `json:"id"`
	Type     Type     `json:"type,omitempty"`
	Cause    Cause    `json:"cause"`
	To       string   `json:"to,omitempty"` // ID that takes its place
	Fields   []string `json:"fields,omitempty"`
	State    State    `json:"state"`
	Brake    Brake    `json:"brake,omitempty"`
	Group    string   `json:"group,omitempty"` // as Change has it
	Evidence string   `json:"evidence,omitempty"`
	Reason   string   `json:"reason,omitempty"` // of a refusal or a doubt
}

// Entry returns c as results show it, in the given state.
func (c *Change) Entry(state State, reason string) Entry {
	return Entry{
		Op: c.Op, ID: c.ID, Type: c.Type, Cause: c.Cause, To: c.Needs, Fields: c.Fields,
		State: state, Brake: c.Brake, Group: c.Group, Evidence: c.Evidence, Reason: reason,
	}
}
