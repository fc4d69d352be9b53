package tools

import (
	"fmt"
	"slices"

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
	OpClear   Op = "clear" // delete what it took the place of, before the last run was ended
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
}

// facts are all that is known of one search tool.
type facts struct {
	Declared                // Body nil: the file does not name it
	known    *document.Tool // nil: the ledger does not know it
	before   string         // the name that the ledger knows it by still; empty: this one
	now      []byte         // the service's JSON; nil: it was not read
	gone     bool           // the service has none of that ID
	braked   string         // why a delete has to wait for somebody's word; empty: it has not
}

// decide returns what is due. force overwrites what somebody changed by hand, again
// makes anew what may have been created.
func decide(f facts, force, again bool) Step {
	s := Step{Op: OpNone, Kind: f.Kind, Name: f.Name}
	switch k := f.known; {
	case k == nil:
		s.Op, s.State, s.Changes = OpCreate, Planned, differences(nil, view(f.Kind, f.Body))
	case k.Making && !again:
		s.ID, s.Op, s.State = k.ID, OpCreate, Unknown
		s.Text = "a create was begun and its answer never came: look for it in the management console, then sitesync tools import " +
			string(f.Kind) + " ID, or apply --retry-unknown when it is not there"
	case f.Body == nil:
		s.ID = k.ID
		f.decideGone(&s, force)
	case k.ID == 0:
		s.Op, s.State, s.Changes = OpCreate, Planned, differences(nil, view(f.Kind, f.Body))
	default:
		s.ID = k.ID
		f.decideThere(&s, force)
	}
	if s.Op == OpNone && f.known != nil && len(f.known.Old) > 0 {
		s.Op, s.State, s.Text = OpClear, Planned, "the one that it took the place of is still there"
	}
	return s
}

// decideGone decides on what the file names no longer.
func (f *facts) decideGone(s *Step, force bool) {
	byHand := f.byHand()
	switch {
	case f.known.Retired:
	case f.gone || f.known.ID == 0:
		s.Op, s.State, s.Text = OpDelete, Planned, "the service has it no longer"
	case f.braked != "":
		s.Op, s.State, s.Text = OpDelete, Held, f.braked
	case len(byHand) > 0 && !force && !f.emptied():
		s.Op, s.State, s.Changes, s.Text = OpDelete, Held, byHand, "changed by hand; apply --force deletes it all the same"
	default:
		s.Op, s.State = OpDelete, Planned
	}
}

// emptied reports whether a ranking does nothing any more, as after a retirement whose
// answer was lost.
func (f *facts) emptied() bool {
	r := decode[wire.Ranking](f.now)
	return f.Kind == wire.KindRanking && len(r.Pages)+len(r.RankingTerms) == 0
}

func (f *facts) decideThere(s *Step, force bool) {
	byHand, due := f.byHand(), f.known.Declared != document.HashBytes(f.Body)
	switch {
	case f.gone && !force:
		s.Op, s.State, s.Text = OpCreate, Held, "deleted by hand; apply --force creates it again, or take it out of the file"
	case f.gone:
		s.Op, s.State, s.Changes = OpCreate, Planned, differences(nil, view(f.Kind, f.Body))
	case len(f.toChange()) == 0 && f.now != nil: // whoever did it
	case len(byHand) > 0 && !force:
		s.Op, s.State, s.Changes = OpReplace, Held, byHand
		s.Text = "changed by hand; apply --force puts back what the file says"
	case due || len(byHand) > 0:
		s.Op, s.State, s.Changes = OpReplace, Planned, f.toChange()
	}
}

// byHand returns how what the service shows differs from what it showed after the last
// write.
func (f *facts) byHand() []Change {
	if f.now == nil {
		return nil
	}
	return differences(view(f.Kind, f.known.Seen), view(f.Kind, f.now))
}

// toChange returns how the file differs from the service, or from what it showed.
func (f *facts) toChange() []Change {
	return differences(view(f.Kind, f.base()), view(f.Kind, f.Body))
}

// base returns the service's JSON as it is known best.
func (f *facts) base() []byte {
	if f.now != nil {
		return f.now
	}
	return f.known.Seen
}

func (d Declared) is(k document.Tool) bool { return k.Kind == string(d.Kind) && k.Name == d.Name }

// gather joins what is declared with what the ledger knows: in the order of the file,
// then what the file names no longer.
func gather(declared []Declared, known []document.Tool) (all []facts) {
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
	without := map[string][]*document.Tool{}
	for _, k := range left {
		if k.ID != 0 && !k.Making && !k.Retired {
			is := nameless(wire.Kind(k.Kind), k.Seen)
			without[is] = append(without[is], k)
		}
	}
	for i := range all {
		f := &all[i]
		if f.known != nil {
			continue
		}
		is := nameless(f.Kind, f.Body)
		if same := without[is]; len(same) == 1 {
			f.known, f.before = same[0], same[0].Name
			delete(without, is)
			delete(left, key{f.known.Kind, f.before})
		}
	}
	for i, k := range known {
		if left[key{k.Kind, k.Name}] != nil {
			all = append(all, facts{Declared: Declared{Kind: wire.Kind(k.Kind), Name: k.Name}, known: &known[i]})
		}
	}
	return all
}

// nameless returns what a tool is but for its name: two of the same are one that was
// renamed in the file. A quicklink is its address, because not every service can make a
// new one.
func nameless(kind wire.Kind, raw []byte) string {
	fields := slices.DeleteFunc(view(kind, raw), func(f Field) bool {
		return f.Name == "name" || kind == wire.KindQuicklink && f.Name == "terms"
	})
	return fmt.Sprintf("%s %q", kind, fields)
}

// freeDeletes is how many search tools may go at once whatever their share.
const freeDeletes = 3

// brake holds the deletes of a file that lost more than half of what the ledger knows:
// an emptied or mistaken file must not empty the engine.
func brake(all []facts) {
	living, leaving := 0, []*facts{}
	for i := range all {
		f := &all[i]
		if f.known == nil || f.known.Retired {
			continue
		}
		living++
		if f.Body == nil {
			leaving = append(leaving, f)
		}
	}
	if len(leaving) <= freeDeletes || 2*len(leaving) <= living {
		return
	}
	for _, f := range leaving {
		f.braked = fmt.Sprintf("%d of %d search tools left the file at once; apply --allow-deletes deletes them", len(leaving), living)
	}
}
