package tools

import (
	"context"
	"fmt"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Op is what is to be done with a search tool.
type Op string

// The operations. Where the service has no update, a replacement is a new one first and
// then the delete of the old; where it has no delete, a retired one is emptied.
const (
	OpNone    Op = "unchanged"
	OpCreate  Op = "create"
	OpReplace Op = "replace"
	OpDelete  Op = "delete"
)

// State is how far an operation has come.
type State string

// The states of a step.
const (
	Planned State = "planned"
	Done    State = "done"
	Held    State = "held"    // somebody changed it by hand, or has to decide
	Unknown State = "unknown" // a create was begun, and its answer never came
	Failed  State = "failed"

	NotOffered State = "not-offered" // the service has no such operation
)

// Step is one search tool and what is to be done, or was done, with it.
type Step struct {
	Op      Op        `json:"op"`
	Kind    wire.Kind `json:"kind"`
	Name    string    `json:"name"`
	ID      int64     `json:"id,omitempty"`
	State   State     `json:"state,omitempty"` // none of what is unchanged
	Changes []Change  `json:"changes,omitempty"`
	Text    string    `json:"text,omitempty"`
	Unshown bool      `json:"-"` // the service can't show this kind, so changes by hand can't be seen
}

// facts are all that is known of one search tool.
type facts struct {
	Declared                // Body nil: the file does not name it
	known    *document.Tool // nil: the ledger does not know it
	now      []byte         // the service's JSON; nil: it was not read
	gone     bool           // the service has none of that ID
	unshown  bool           // the service can't show this kind
	braked   string         // why a delete has to wait for somebody's word; empty: it has not
}

// decide compares a tool from its three sides and returns what is to be done. force overwrites
// changes by hand; again creates once more what may have been created.
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
	case f.Body == nil && f.braked != "":
		due(OpDelete, Held, nil, f.braked)
	case f.Body == nil && len(byHand) > 0 && !force && !f.emptied():
		due(OpDelete, Held, byHand, "changed by hand; apply --force deletes it all the same")
	case f.Body == nil:
		due(OpDelete, Planned, nil, "")
	case f.gone && !force && !k.Making: // what a new one was to replace may be deleted already
		due(OpCreate, Held, nil, "deleted by hand; apply --force creates it again, or take it out of the file")
	case f.gone || k == nil || k.ID == 0:
		due(OpCreate, Planned, differences(nil, view(f.Kind, f.Body)), "")
	case f.now != nil && len(f.toChange()) == 0: // whoever did it
	case len(byHand) > 0 && !force:
		due(OpReplace, Held, byHand, "changed by hand; apply --force puts back what the file says")
	case len(byHand) > 0 || k.Declared != document.HashBytes(f.Body):
		due(OpReplace, Planned, f.toChange(), "")
	}
	return s
}

// unknown says what the owner has to look for after a create of unknown end.
func (f *facts) unknown() string {
	text := fmt.Sprintf("a create was begun, and its end is not known: look for it in the management console, then sitesync tools import %s ID, "+
		"or apply --retry-unknown when it is not there", f.Kind)
	if f.known.ID != 0 {
		text += fmt.Sprintf("; %s %d, whose place it takes, is to be deleted", f.Kind, f.known.ID)
	}
	return text
}

// emptied reports whether a ranking does nothing any more, as after a retirement whose
// answer was lost.
func (f *facts) emptied() bool {
	r := decode[wire.Ranking](f.now)
	return f.Kind == wire.KindRanking && len(r.Pages)+len(r.RankingTerms) == 0
}

// byHand returns how what the service shows differs from what it showed after the last
// write.
func (f *facts) byHand() []Change {
	if f.now == nil || f.known == nil {
		return nil
	}
	return differences(view(f.Kind, f.known.Seen), view(f.Kind, f.now))
}

// toChange returns how the file differs from the service, or from what it showed.
func (f *facts) toChange() []Change {
	return differences(view(f.Kind, f.base()), view(f.Kind, over(f.Kind, f.base(), f.Body)))
}

// base returns the service's JSON as it is known best.
func (f *facts) base() []byte {
	if f.now != nil {
		return f.now
	}
	return f.known.Seen
}

// gather joins what is declared with what the ledger knows: in the order of the file,
// then what the file names no longer, which a brake may hold unless all deletes are allowed.
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

// freeDeletes is how many search tools may go at once whatever their share.
const freeDeletes = 3

// brake holds the deletes of a file that lost more than half of what the ledger knows:
// an emptied or mistaken file must not empty the engine.
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
		all[i].braked = fmt.Sprintf("%d of %d search tools left the file at once; apply --allow-deletes deletes them", leaving, living)
	}
}

// look reads a tool as the service shows it now. Synonyms are left unread where the
// service lacks that optional operation.
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

// Leave is what the owner allows beyond the ordinary.
type Leave struct {
	Force   bool // overwrite what was changed by hand
	Again   bool // create again what may have been created
	Deletes bool // delete however much left the file
}

// Plan returns what Apply would do, and writes nothing. A nil reader, or one that fails,
// leaves the comparison to what the ledger knows; why says so then.
func Plan(ctx context.Context, declared []Declared, known []document.Tool, r Reader, leave Leave) (steps []Step, why error) {
	for _, f := range gather(declared, known, leave.Deletes) {
		if r != nil && why == nil {
			why = f.look(ctx, r)
			if why != nil {
				why = fmt.Errorf("%s %q: %w", f.Kind, f.Name, why)
			}
		}
		s := decide(f, leave.Force, leave.Again)
		f.remark(&s)
		steps = append(steps, s)
	}
	return steps, why
}

// remark says what the operation of a step means for its kind.
func (f *facts) remark(s *Step) {
	switch {
	case s.Text != "":
	case s.Op == OpDelete && s.State == Planned && f.Kind == wire.KindRanking:
		s.Text = "where the service can't delete rankings, its pages and terms are emptied"
	case f.unshown && s.Op != OpCreate:
		s.Unshown, s.Text = true, "the service does not show synonyms: changes by hand can't be seen"
	}
}
