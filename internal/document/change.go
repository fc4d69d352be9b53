package document

import (
	"encoding/json"
	"strings"
)

// Op is the kind of call to the search service that a change needs.
type Op string

// The operations of the search service (section 4.1 of its specification).
const (
	Put        Op = "put"
	Patch      Op = "patch"
	Delete     Op = "delete"
	BulkDelete Op = "bulk-delete"
	Queue      Op = "queue"
)

// Cause is the reason why a change is due.
type Cause string

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
	CauseRefused    Cause = "refused" // the web server has refused the page in many nightly runs
	CauseUnread     Cause = "unread"  // no run has read the page for a month
	CauseExpired    Cause = "expired"
)

// Causes returns the names of all causes.
func Causes() (names []string) {
	for _, cause := range []Cause{
		CauseNew, CauseChanged, CauseRules, CauseRepair, CauseRetry, CauseInDoubt, CauseMoved, CauseRedirected,
		CauseGone, CauseMissing, CauseSoft404, CauseNoIndex, CauseDuplicate, CauseOutOfScope, CauseRobots,
		CauseOrphan, CauseRefused, CauseUnread, CauseExpired,
	} {
		names = append(names, string(cause))
	}
	return names
}

// State tells whether a change is planned, held back, or sent and with which result.
type State string

const (
	Planned      State = "planned"
	Acknowledged State = "acknowledged"
	Refused      State = "refused"
	InDoubt      State = "in-doubt"
	Held         State = "held"
)

// Brake names the brake (limit) that holds a suspicious change back; empty if no brake does.
type Brake string

const (
	BrakeNone       Brake = ""
	BrakeTotal      Brake = "total"
	BrakeIncomplete Brake = "incomplete"
	BrakeHost       Brake = "host"        // the state of the page's host is neither HostOK nor HostIll
	BrakeClock      Brake = "clock"       // the system clock is wrong, and the delete depends on a date
	BrakeTarget     Brake = "target"      // the document that replaces the deleted one is not acknowledged
	BrakeOrigin     Brake = "origin"      // the origin of the start URL is new and not approved
	BrakeGroup      Brake = "group"       // most pages of a place are broken, or a start page or last document would go
	BrakeMassUpdate Brake = "mass-update" // many pages now show one text, or redirect to one address
	BrakeRetention  Brake = "retention"   // a rule that deletes old documents deletes for the first time
	BrakeGrowth     Brake = "growth"      // the run would more than double the index
)

type Change struct {
	Op       Op              `json:"op"`
	ID       string          `json:"id"`
	Type     Type            `json:"type,omitempty"`
	Cause    Cause           `json:"cause"`
	Fields   []string        `json:"fields,omitempty"`
	Doc      json.RawMessage `json:"doc,omitempty"`      // request body of a put or patch
	Needs    string          `json:"needs,omitempty"`    // ID of the document that must be acknowledged first
	Doubt    bool            `json:"doubt,omitempty"`    // the index may lack the document
	Again    bool            `json:"again,omitempty"`    // the previous change was refused or is in doubt
	Evidence string          `json:"evidence,omitempty"` // for people: why the change is due
	Next     *Record         `json:"next,omitempty"`     // new record after the change; nil: remove it
	State    State           `json:"state"`
	Brake    Brake           `json:"brake,omitempty"`
	Group    string          `json:"group,omitempty"` // the host, folder, type or rule that the brake judges
	Pair     bool            `json:"pair,omitempty"`  // a put or delete that moves one document to a new ID
}

// Kind groups changes for reports to people.
type Kind string

const (
	KindNew     Kind = "new"
	KindChanged Kind = "changed"
	KindDeleted Kind = "deleted"
	KindMoved   Kind = "moved"  // a put under the document's new ID, and a delete of the old ID
	KindQueued  Kind = "queued" // the service's own crawler is asked to fetch the page
)

// Kind returns the kind of the change, from its operation and its cause.
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

// Kinds counts sent or planned changes by kind. A move counts once. A change of KindQueued does not count.
type Kinds struct {
	New     int `json:"new"`
	Changed int `json:"changed"`
	Deleted int `json:"deleted"`
	Moved   int `json:"moved"`
}

// Count counts one change. The put of a move counts as new, until the delete of the move is counted, too.
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

// Command is a command of this program without flags such as -c, for example "sitesync approve --all".
type Command string

// Tripped describes the changes that a brake (limit) held in a run. If Group is set, all are of this group.
type Tripped struct {
	Brake   Brake   `json:"brake"`
	Group   string  `json:"group,omitempty"` // the host, folder, type or rule that the brake judges
	Held    int     `json:"held"`
	Why     string  `json:"why"`             // for people, with the figures and the limit
	Release Command `json:"release"`         // the command that releases the changes; may be empty
	Mend    string  `json:"mend,omitempty"`  // for people: how to correct the site or the configuration
	Since   int64   `json:"since,omitempty"` // start of the first run that held changes for this reason, Unix seconds
}

// Delta is the difference between a document as read and its record in the ledger (what the index holds).
type Delta struct {
	Changed []string // names of fields that are new or differ, sorted
	Lost    []string // names of fields that only the record has, sorted
	Type    bool
}

// Same reports whether there is no difference.
func (d Delta) Same() bool { return len(d.Changed) == 0 && len(d.Lost) == 0 && !d.Type }

// Outcome is the service's answer to one change that was sent.
type Outcome struct {
	ID    string
	State State // Acknowledged, Refused or InDoubt
	// By says what acknowledges the change: a result that names the document ("row"), or the HTTP status
	// alone ("status"). By is empty if nothing acknowledges the change. If By is set and State is InDoubt, an
	// earlier call may still overwrite the acknowledged document.
	By     string
	Reason string
}

// Entry is a change without its request body, for reports and for the history of runs.
type Entry struct {
	Op       Op       `json:"op"`
	ID       string   `json:"id"`
	Type     Type     `json:"type,omitempty"`
	Cause    Cause    `json:"cause"`
	To       string   `json:"to,omitempty"` // ID of the document that replaces this one
	Fields   []string `json:"fields,omitempty"`
	State    State    `json:"state"`
	Brake    Brake    `json:"brake,omitempty"`
	Group    string   `json:"group,omitempty"` // Group and Pair are copied from Change
	Pair     bool     `json:"pair,omitempty"`
	Evidence string   `json:"evidence,omitempty"`
	Reason   string   `json:"reason,omitempty"`       // why the change was refused or is in doubt
	Print    Print    `json:"print,omitempty,string"` // similarity hash of the text of a held put or patch
}

// Entry returns the change without its request body, with the given state and reason.
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

// Within reports whether group is e.Group, the document's type, or a prefix of the document's URL.
func (e *Entry) Within(group string) bool {
	return strings.HasPrefix(e.ID, group) || string(e.Type) == group || e.Group == group
}

// Bulk is the call that deletes all documents dated before a given day. A run makes at most one such call.
type Bulk struct {
	Before    string `json:"before"`    // YYYY/MM/DD; the index field Date_date is compared with this day
	Documents int    `json:"documents"` // expected number of deleted documents
}

// An Observation updates a ledger record without a call to the service. A nil Next removes the record.
type Observation struct {
	ID   string  `json:"id"`
	Next *Record `json:"next"`
}

// Settled is a change that was sent, with its outcome.
type Settled struct {
	Change  Change
	Outcome Outcome
}

// A Batch is written to the ledger in one transaction, while a run sends its changes.
type Batch struct {
	Settled  []Settled
	Intents  []Change // changes to send next; their documents are in doubt until the outcomes are written
	Observed []Observation
	Noted    []Entry // changes that were not sent, for the history of runs
}

// PlanHeader identifies a plan (the changes to send), and the ledger from which the plan was made.
type PlanHeader struct {
	Version    int    `json:"version"`
	Run        string `json:"run"`
	Start      int64  `json:"start"` // Unix seconds
	Target     Target `json:"target"`
	Ledger     string `json:"ledger,omitempty"` // identity of the ledger; empty if no ledger existed yet
	File       string `json:"file,omitempty"`   // base name of the ledger's file
	Generation uint64 `json:"generation"`       // the ledger's change counter when planning began
	Mode       string `json:"mode"`             // "documents", or "queue for crawler " and its ID
	Via        bool   `json:"via,omitempty"`    // the plan was made from a staging host and can't be applied
}

// PlanTrailer ends a plan. It holds the totals, and the new ledger values for hosts and the whole site.
type PlanTrailer struct {
	Summary   Summary               `json:"summary"`
	Hosts     map[string]HostMemory `json:"hosts"`
	Origins   []string              `json:"origins"`             // start origins that the owner approved
	Retention []string              `json:"retention,omitempty"` // rules that delete old documents in this plan
	Profile   Profile               `json:"profile,omitempty"`   // new or changed sections of the shared text
	Rules     Rules                 `json:"rules,omitempty"`     // rules of all documents; nil if they differ
}
