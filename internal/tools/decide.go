package tools

import (
	"context"
	"fmt"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Op is the operation that a search tool needs.
type Op string

// If the service can't replace a tool, OpReplace creates a new tool and deletes the old one. If the service
// can't delete a ranking, OpDelete empties it.
const (
	OpNone    Op = "unchanged"
	OpCreate  Op = "create"
	OpReplace Op = "replace"
	OpDelete  Op = "delete"
)

// State says how far a Step has come.
type State string

const (
	Planned State = "planned"
	Done    State = "done"
	Held    State = "held"    // waits until the user permits it (see Leave)
	Unknown State = "unknown" // a create was begun, and its outcome is unknown
	Failed  State = "failed"

	NotOffered State = "not-offered"
)

// Step is the planned or finished operation on one search tool.
type Step struct {
	Op      Op        `json:"op"`
	Kind    wire.Kind `json:"kind"`
	Name    string    `json:"name"`
	ID      int64     `json:"id,omitempty"`
	State   State     `json:"state,omitempty"` // empty if Op is OpNone
	Changes []Change  `json:"changes,omitempty"`
	Text    string    `json:"text,omitempty"`
	Unshown bool      `json:"-"` // the service can't show this kind, so changes made by hand are not noticed
}

type facts struct {
	Declared                // Body is nil if the file does not declare the tool
	known    *document.Tool // the ledger's entry (what was last sent), or nil
	now      []byte         // JSON that the service shows; nil if it was not asked or has no such tool
	gone     bool           // the service no longer has the ID that the ledger knows
	unshown  bool
	whyHeld  string
}

// decide returns the step of a tool. force overrides changes made by hand. again repeats a create whose
// outcome is unknown.
func decide(f facts, force, again bool) Step {
	s := Step{Op: OpNone, Kind: f.Kind, Name: f.Name}
	due := func(op Op, state State, changes []Change, text string) {
		s.Op, s.State, s.Changes, s.Text = op, state, changes, text
	}
	k := f.known
	if k != nil {
		s.ID = k.ID
	}
	byHand := f.byHand()
	switch {
	case k != nil && k.Making && !again:
		due(OpCreate, Unknown, nil, f.unknown())
	case f.Body == nil && k.Retired:
	case f.Body == nil && (f.gone || k.ID == 0):
		due(OpDelete, Planned, nil, "the service has it no longer")
	case f.Body == nil && f.whyHeld != "":
		due(OpDelete, Held, nil, f.whyHeld)
	case f.Body == nil && len(byHand) > 0 && !force && !f.isEmptyRanking():
		due(OpDelete, Held, byHand, "changed by hand; apply --force deletes it all the same")
	case f.Body == nil:
		due(OpDelete, Planned, nil, "")
	case f.gone && !force && !k.Making: // a replacement that was begun (k.Making) may have deleted the tool
		due(OpCreate, Held, nil, "deleted by hand; apply --force creates it again, or take it out of the file")
	case f.gone || k == nil || k.ID == 0:
		due(OpCreate, Planned, differences(nil, view(f.Kind, f.Body)), "")
	case f.now != nil && len(f.toChange()) == 0: // the service already shows what the file declares
	case len(byHand) > 0 && !force:
		due(OpReplace, Held, byHand, "changed by hand; apply --force puts back what the file says")
	case len(byHand) > 0 || k.Declared != document.HashOf(f.Body):
		due(OpReplace, Planned, f.toChange(), "")
	}
	return s
}

func (f *facts) unknown() string {
	text := fmt.Sprintf("a create was begun, and its end is not known: look for it in the management console, "+
		"then sitesync tools import %s ID, or apply --retry-unknown when it is not there", f.Kind)
	if f.known.ID != 0 {
		text += fmt.Sprintf("; %s %d, whose place it takes, is to be deleted", f.Kind, f.known.ID)
	}
	return text
}

func (f *facts) isEmptyRanking() bool {
	r := decode[wire.Ranking](f.now)
	return f.Kind == wire.KindRanking && len(r.Pages)+len(r.RankingTerms) == 0
}

func (f *facts) byHand() []Change {
	if f.now == nil || f.known == nil {
		return nil
	}
	return differences(view(f.Kind, f.known.Seen), view(f.Kind, f.now))
}

func (f *facts) toChange() []Change {
	return differences(view(f.Kind, f.base()), view(f.Kind, over(f.Kind, f.base(), f.Body)))
}

func (f *facts) base() []byte {
	if f.now != nil {
		return f.now
	}
	return f.known.Seen
}

// gather returns the facts of the declared tools in the order of the file. Tools that only the ledger has
// follow. If deletes is false, too many deletes at once are not made: see brake.
func gather(declared []Declared, known []document.Tool, deletes bool) (all []facts) {
	type key struct{ kind, name string }
	left := map[key]*document.Tool{}
	for i, k := range known {
		left[key{k.Kind, k.Name}] = &known[i]
	}
	for _, d := range declared {
		at := key{string(d.Kind), d.Name}
		all = append(all, facts{Declared: d, known: left[at]})
		delete(left, at)
	}
	for _, k := range known {
		if is := left[key{k.Kind, k.Name}]; is != nil {
			all = append(all, facts{Declared: Declared{Kind: wire.Kind(k.Kind), Name: k.Name}, known: is})
		}
	}
	if !deletes {
		brake(all)
	}
	return all
}

// freeDeletes is the number of search tools that may be deleted at once without permission.
const freeDeletes = 3

// brake holds all deletes if more than freeDeletes tools, and over half of all tools, left the file at once.
func brake(all []facts) {
	living, leaving := 0, 0
	for _, f := range all {
		if f.known != nil && !f.known.Retired {
			living++
			if f.Body == nil {
				leaving++
			}
		}
	}
	if leaving <= freeDeletes || 2*leaving <= living {
		return
	}
	for i := range all {
		all[i].whyHeld = fmt.Sprintf("%d of %d search tools left the file at once; "+
			"apply --allow-deletes deletes them", leaving, living)
	}
}

func (f *facts) look(ctx context.Context, r Reader) error {
	if f.known == nil || f.known.ID == 0 {
		return nil
	}
	now, err := r.Get(ctx, f.Kind, f.known.ID)
	f.unshown, f.gone = notOffered(err) && f.Kind == wire.KindSynonyms, notFound(err)
	if err != nil && !f.unshown && !f.gone {
		return err
	}
	f.now = now
	return nil
}

// Leave holds what the user permits.
type Leave struct {
	Force   bool // overwrite changes made by hand
	Again   bool // repeat creates of unknown outcome
	Deletes bool // delete any number of tools
}

// Plan returns the steps that Apply would carry out. It errs if a known tool can't be read.
func Plan(ctx context.Context, declared []Declared, known []document.Tool, r Reader, leave Leave) ([]Step, error) {
	var steps []Step
	for _, f := range gather(declared, known, leave.Deletes) {
		if err := f.look(ctx, r); err != nil {
			return nil, fmt.Errorf("%s %q: %w", f.Kind, f.Name, err)
		}
		s := decide(f, leave.Force, leave.Again)
		f.remark(&s)
		steps = append(steps, s)
	}
	return steps, nil
}

func (f *facts) remark(s *Step) {
	switch {
	case s.Text != "":
	case s.Op == OpDelete && s.State == Planned && f.Kind == wire.KindRanking:
		s.Text = "where the service can't delete rankings, its pages and terms are emptied"
	case f.unshown && s.Op != OpCreate:
		s.Unshown, s.Text = true, "the service does not show synonyms: changes by hand can't be seen"
	}
}
