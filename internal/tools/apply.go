package tools

import (
	"context"
	"fmt"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Applier makes the service's search tools what a file declares.
type Applier struct {
	Service Service
	Ledger  Ledger
	Backup  func(kind wire.Kind, id int64, raw []byte) error // keeps what is about to be lost
	Stops   func(error) bool                                 // every further call would fail alike; nil: none does
	Leave

	without map[string]bool // optional operations that the service was seen not to have in this run
	claimed map[owned]bool  // what the ledger knows
}

// Apply does what is due, one tool after the other, each read again right before. What
// fails is in its step; an error ends it, and the steps until then are returned.
func (a *Applier) Apply(ctx context.Context, declared []Declared, known []document.Tool) (steps []Step, err error) {
	a.without, a.claimed = map[string]bool{}, map[owned]bool{}
	for _, k := range known {
		a.claim(k)
	}
	for _, f := range a.gather(declared, known) {
		s, err := a.one(ctx, &f)
		steps = append(steps, s)
		if err != nil {
			return steps, err
		}
	}
	return steps, nil
}

// owned names a tool of the service.
type owned struct {
	kind string
	id   int64
}

func (a *Applier) claim(k document.Tool) {
	for _, id := range slices.Concat(k.Old, []int64{k.ID}) {
		a.claimed[owned{k.Kind, id}] = true
	}
}

func (a *Applier) one(ctx context.Context, f *facts) (s Step, err error) {
	s = Step{Op: OpNone, Kind: f.Kind, Name: f.Name, State: Failed}
	if f.before != "" {
		if err := a.Ledger.RenameTool(string(f.Kind), f.before, f.Name); err != nil {
			return a.failed(ctx, s, err)
		}
		f.known.Name = f.Name
	}
	if err := f.look(ctx, a.Service); err != nil {
		return a.failed(ctx, s, err)
	}
	if f.known != nil && a.Again {
		f.known.Making = false
	}
	s = decide(*f, a.Force, a.Again)
	if s.State == Unknown {
		if s, err = a.found(ctx, f, s); err != nil {
			return a.failed(ctx, s, err)
		}
		if s.State == Planned { // it was never created
			s = decide(*f, a.Force, a.Again)
		}
	}
	switch {
	case s.State == Planned:
		err = a.do(ctx, f, &s)
	case s.Op == OpNone && f.now != nil && f.Body != nil:
		err = a.settle(f)
	}
	if err == nil && f.known != nil && len(f.known.Old) > 0 {
		err = a.clear(ctx, f.known)
	}
	if err != nil {
		return a.failed(ctx, s, err)
	}
	f.remark(&s, true)
	return s, nil
}

// failed turns an error into a step's own, unless it ends everything: when the next
// calls would fail alike, or what this one did is not known.
func (a *Applier) failed(ctx context.Context, s Step, err error) (Step, error) {
	if s.State != Unknown {
		s.State = Failed
	}
	s.Text = err.Error()
	if ctx.Err() != nil || mayHaveRun(err) || a.Stops != nil && a.Stops(err) {
		return s, err
	}
	return s, nil
}

func (a *Applier) do(ctx context.Context, f *facts, s *Step) (err error) {
	switch {
	case s.Op == OpCreate:
		err = a.create(ctx, f, s)
	case s.Op == OpReplace:
		err = a.replace(ctx, f)
	case s.Op == OpDelete:
		err = a.remove(ctx, f, s)
	}
	if err == nil && s.State == Planned {
		s.State = Done
	}
	if f.known != nil {
		s.ID = f.known.ID
	}
	return err
}

// settle notes that the service shows what the file says, whoever made it so.
func (a *Applier) settle(f *facts) error {
	next := *f.known
	next.Seen, next.Declared, next.Retired = f.now, document.HashBytes(f.Body), false
	if next.Declared == f.known.Declared && len(differences(view(f.Kind, f.known.Seen), view(f.Kind, f.now))) == 0 && !f.known.Retired {
		return nil
	}
	return a.keep(f, next)
}

// keep writes what is known of a tool from now on.
func (a *Applier) keep(f *facts, next document.Tool) error {
	next.Kind, next.Name = string(f.Kind), f.Name
	f.known = &next
	a.claim(next)
	return a.Ledger.PutTool(next)
}

// replace overwrites a tool with what the file says, after a copy was kept.
func (a *Applier) replace(ctx context.Context, f *facts) error {
	if err := a.backup(f); err != nil {
		return err
	}
	return a.swap(ctx, f)
}

// swap overwrites a tool. Where the service has no update the new one is created first,
// and then the old one deleted.
func (a *Applier) swap(ctx context.Context, f *facts) error {
	body := over(f.Kind, f.base(), f.Body)
	if update := "update " + string(f.Kind); !a.without[update] {
		answer, err := a.put(ctx, f, body)
		if notOffered(err) {
			a.without[update] = true
		} else if err != nil {
			return err
		} else {
			return a.keep(f, document.Tool{ID: f.known.ID, Declared: document.HashBytes(f.Body), Seen: answer, Old: f.known.Old})
		}
	}
	return a.make(ctx, f, body, document.HashBytes(f.Body))
}

// put replaces a tool and returns what the service has now.
func (a *Applier) put(ctx context.Context, f *facts, body []byte) ([]byte, error) {
	answer, err := a.Service.Replace(ctx, f.Kind, f.known.ID, body)
	if err != nil {
		return nil, fmt.Errorf("%s %q: %w", f.Kind, f.Name, err)
	}
	return answer, nil
}

// remove deletes a tool. A ranking that can't be deleted is emptied, and kept in mind
// in case that the file names it again.
func (a *Applier) remove(ctx context.Context, f *facts, s *Step) error {
	if f.gone || f.known.ID == 0 {
		return a.Ledger.DropTool(string(f.Kind), f.Name)
	}
	if err := a.backup(f); err != nil {
		return err
	}
	err := a.Service.Delete(ctx, f.Kind, f.known.ID)
	if notOffered(err) {
		s.Text = "the service can't delete rankings: its pages and terms are empty now"
		return a.retire(ctx, f)
	}
	if err != nil && !notFound(err) {
		return fmt.Errorf("%s %q: %w", f.Kind, f.Name, err)
	}
	if err := a.clear(ctx, f.known); err != nil {
		return err
	}
	return a.Ledger.DropTool(string(f.Kind), f.Name)
}

func (a *Applier) retire(ctx context.Context, f *facts) error {
	was := decode[wire.Ranking](f.base())
	empty := encode(wire.Ranking{Name: was.Name, WebsiteID: was.WebsiteID, Pages: []wire.RankedPage{}, RankingTerms: []wire.Term{}})
	answer, err := a.put(ctx, f, over(f.Kind, f.base(), empty))
	if err != nil {
		return err
	}
	return a.keep(f, document.Tool{ID: f.known.ID, Seen: answer, Retired: true})
}

// clear deletes what a tool took the place of. It was backed up before the change.
func (a *Applier) clear(ctx context.Context, k *document.Tool) error {
	for len(k.Old) > 0 {
		if err := a.Service.Delete(ctx, wire.Kind(k.Kind), k.Old[0]); err != nil && !notFound(err) {
			return fmt.Errorf("%s %q: its earlier form: %w", k.Kind, k.Name, err)
		}
		k.Old = k.Old[1:]
		if err := a.Ledger.PutTool(*k); err != nil {
			return err
		}
	}
	return nil
}

func (a *Applier) backup(f *facts) error {
	if err := a.Backup(f.Kind, f.known.ID, f.base()); err != nil {
		return fmt.Errorf("back up %s %q: %w; nothing was changed", f.Kind, f.Name, err)
	}
	return nil
}
