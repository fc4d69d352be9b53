package document

import (
	"encoding/json"
	"strings"
)

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
	CauseRefused    Cause = "refused" // its server has answered something else for many nights
	CauseUnread     Cause = "unread"  // it was not seen for a month, for whatever reason
	CauseExpired    Cause = "expired"
)

// Causes returns all causes by their names.
func Causes() (names []string) {
	for _, cause := range []Cause{
		CauseNew, CauseChanged, CauseRules, CauseRepair, CauseRetry, CauseInDoubt, CauseMoved, CauseRedirected, CauseGone,
		CauseMissing, CauseSoft404, CauseNoIndex, CauseDuplicate, CauseOutOfScope, CauseRobots, CauseOrphan, CauseRefused, CauseUnread, CauseExpired,
	} {
		names = append(names, string(cause))
	}
	return names
}

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
	BrakeHost       Brake = "host"        // on a host that can't be read nothing is deleted
	BrakeClock      Brake = "clock"       // retention, while the clock is not to be believed
	BrakeTarget     Brake = "target"      // the document that takes its place is not acknowledged
	BrakeOrigin     Brake = "origin"      // of a start origin that was not approved yet
	BrakeGroup      Brake = "group"       // more than half of a host, folder or type is gone, leads away or shows something else
	BrakeMassUpdate Brake = "mass-update" // many pages turn to one body, or to one address
	BrakeRetention  Brake = "retention"   // the first effect of a retention rule
	BrakeGrowth     Brake = "growth"      // the index would more than double in a night
)

// Change is one due change of the index.
type Change struct {
	Op       Op              `json:"op"`
	ID       string          `json:"id"`
	Type     Type            `json:"type,omitempty"`
	Cause    Cause           `json:"cause"`
	Fields   []string        `json:"fields,omitempty"`   // names of the fields that differ
	Doc      json.RawMessage `json:"doc,omitempty"`      // wire bytes for put and patch
	Needs    string          `json:"needs,omitempty"`    // ID that must be acknowledged first
	Doubt    bool            `json:"doubt,omitempty"`    // its record is not ok: the index may not hold it
	Again    bool            `json:"again,omitempty"`    // an earlier run tried to change the document, and failed
	Evidence string          `json:"evidence,omitempty"` // in words
	Next     *Record         `json:"next,omitempty"`     // the record once acknowledged; nil: removed
	State    State           `json:"state"`
	Brake    Brake           `json:"brake,omitempty"`
	Group    string          `json:"group,omitempty"` // what tripped the brake, where it judges by groups
	Pair     bool            `json:"pair,omitempty"`  // half of a move: the put of what is new there, or the delete that is counted with it
}

// Kind is what a change is to a person.
type Kind string

// The kinds of change.
const (
	KindNew     Kind = "new"
	KindChanged Kind = "changed"
	KindDeleted Kind = "deleted"
	KindMoved   Kind = "moved"  // under another ID from now on: both its put and its delete
	KindQueued  Kind = "queued" // the hosted crawler is told to look
)

// Kind returns what the change is to a person, held or not.
func (e *Entry) Kind() Kind {
	switch {
	case e.Op == Queue:
		return KindQueued
	case e.Pair, e.Op == Delete && e.Cause == CauseMoved:
		return KindMoved
	case e.Op == Delete, e.Op == BulkDelete:
		return KindDeleted
	case e.Cause == CauseNew:
		return KindNew
	}
	return KindChanged
}

// Kinds are how many changes of each kind a run sent, or would send; what was queued is in
// its Counts. A move counts once.
type Kinds struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Deleted int `json:"deleted"`
	Moved   int `json:"moved"`
}

// Count counts one change that is sent, or to be sent. The delete of a Pair takes back that
// its put counted as new.
func (k *Kinds) Count(e Entry) {
	switch kind := e.Kind(); {
	case kind == KindNew, e.Op == Put && e.Pair:
		k.New++
	case kind == KindChanged:
		k.Changed++
	case kind == KindDeleted:
		k.Deleted++
	case kind == KindMoved:
		k.Moved++
		if e.Pair {
			k.New--
		}
	}
}

// Command is a command of this program, as it is typed where the configuration has its
// default name: "sitesync approve --all".
type Command string

// Tripped is one brake that held changes in a run, and why: a group's brake has one
// for each group.
type Tripped struct {
	Brake   Brake   `json:"brake"`
	Group   string  `json:"group,omitempty"` // a host's address, a folder's, or a type
	Held    int     `json:"held"`            // changes
	Why     string  `json:"why"`             // in words, with the figures and the limit
	Release Command `json:"release"`         // empty: nothing releases it
	Mend    string  `json:"mend,omitempty"`  // in words, what to do where the site or the configuration is wrong
	Since   int64   `json:"since,omitempty"` // start of the run that held something for this reason first, Unix seconds
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

// Outcome is the result of one change that was sent.
type Outcome struct {
	ID     string
	State  State  // acknowledged, refused or in-doubt
	By     string // "row" or "status" when the service acknowledged, also where an older call may still overwrite that: in-doubt
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
	Group    string   `json:"group,omitempty"` // this and Pair as Change has them
	Pair     bool     `json:"pair,omitempty"`
	Evidence string   `json:"evidence,omitempty"`
	Reason   string   `json:"reason,omitempty"`       // of a refusal or a doubt
	Print    Print    `json:"print,omitempty,string"` // of the text of an update that is held
}

// Entry returns c as results show it, in the given state.
func (c *Change) Entry(state State, reason string) Entry {
	var text Print
	if state == Held && c.Op != Delete && c.Next != nil {
		text = c.Next.Print
	}
	return Entry{
		Op: c.Op, ID: c.ID, Type: c.Type, Cause: c.Cause, To: c.Needs, Fields: c.Fields,
		State: state, Brake: c.Brake, Group: c.Group, Pair: c.Pair, Evidence: c.Evidence, Reason: reason, Print: text,
	}
}

// Within reports whether the change belongs to what an approval calls a group: addresses that
// begin alike, a type, or what a brake names.
func (e *Entry) Within(group string) bool {
	return strings.HasPrefix(e.ID, group) || string(e.Type) == group || e.Group == group
}

// Bulk is the one bulk delete of a run.
type Bulk struct {
	Before    string `json:"before"`    // it takes what has an earlier Date_date, YYYY/MM/DD
	Documents int    `json:"documents"` // the forecast: how many those are
}

// Observation is a record to be kept without any call: misses counted, hints
// learned, a redirect's source. A nil Next removes the record.
type Observation struct {
	ID   string  `json:"id"`
	Next *Record `json:"next"`
}

// Settled is a change with its outcome.
type Settled struct {
	Change  Change
	Outcome Outcome
}

// Batch is what one transaction of an apply writes.
type Batch struct {
	Settled  []Settled // the outcomes of the last changes
	Intents  []Change  // what is sent next: their records go to doubt, and only an outcome takes them out
	Observed []Observation
	Noted    []Entry // for the history only: what is held or parked is derived anew by each run
}

// PlanHeader is the first line of a plan.
type PlanHeader struct {
	Version    int    `json:"version"`
	Run        string `json:"run"`
	Start      int64  `json:"start"` // Unix seconds
	Target     Target `json:"target"`
	Ledger     string `json:"ledger,omitempty"` // identity of the ledger it was made from; empty: there was none yet
	File       string `json:"file,omitempty"`   // the name of that ledger's file, without its folder
	Generation uint64 `json:"generation"`       // of that ledger
	Mode       string `json:"mode"`             // how changes are told to the service: documents, or URLs to which crawler
	Via        bool   `json:"via,omitempty"`    // it shows a staging host, and is not to be applied
}

// PlanTrailer is the last line of a plan.
type PlanTrailer struct {
	Summary   Summary               `json:"summary"`
	Hosts     map[string]HostMemory `json:"hosts"`
	Origins   []string              `json:"origins"`             // that the ledger is pinned to from now on
	Retention []string              `json:"retention,omitempty"` // rules, as written, of which this plan holds an effect
	Profile   Profile               `json:"profile,omitempty"`   // sections that are new or changed
	Rules     Rules                 `json:"rules,omitempty"`     // that every document is made by from now on; none: that is not sure
}
