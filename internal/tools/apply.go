package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Applier makes the search tools of the service equal to those that a file declares.
type Applier struct {
	Service Service
	Ledger  Ledger
	Target  document.ToolTarget                              // the search engine that has the tools in Ledger
	Backup  func(kind wire.Kind, id int64, raw []byte) error // saves a tool before it is replaced or deleted
	Stops   func(error) bool                                 // reports whether all further calls would fail
	Leave
}

// Apply carries out all due operations and returns a step for each tool. If an operation fails, its step
// holds the error text, and Apply continues. Apply ends early with an error if ctx ends, all further calls
// would fail, or the outcome of a call is unknown. It then returns the steps so far.
func (a *Applier) Apply(ctx context.Context, declared []Declared, known []document.Tool) (steps []Step, err error) {
	for _, f := range gather(declared, known, a.Deletes) {
		s := Step{Op: OpNone, Kind: f.Kind, Name: f.Name}
		err := a.one(ctx, &f, &s)
		if err != nil {
			if s.State != Unknown {
				s.State = Failed
			}
			err = fmt.Errorf("%s %q: %w", f.Kind, f.Name, err)
			s.Text = err.Error()
		}
		steps = append(steps, s)
		if err != nil && (ctx.Err() != nil || mayHaveRun(err) || a.Stops(err)) {
			return steps, err
		}
	}
	return steps, nil
}

// keep stores a tool's entry in the ledger. It removes the entry if the tool has neither an ID nor an
// unfinished create.
func (a *Applier) keep(f *facts, next document.Tool) error {
	next.Kind, next.Name = string(f.Kind), f.Name
	f.known = &next
	if next.ID == 0 && !next.Making {
		return a.Ledger.DropTool(next.Kind, next.Name)
	}
	return a.Ledger.PutTool(a.Target, next)
}

func (a *Applier) one(ctx context.Context, f *facts, s *Step) (err error) {
	if err := f.look(ctx, a.Service); err != nil {
		return err
	}
	*s = decide(*f, a.Force, a.Again)
	if f.known != nil && a.Again {
		f.known.Making = false
	}
	switch {
	case s.Op == OpNone && f.now != nil && f.Body != nil:
		err = a.settle(f)
	case s.State != Planned:
	case s.Op == OpCreate:
		err = a.create(ctx, f, s)
	case s.Op == OpReplace:
		err = a.backup(f)
		if err == nil {
			err = a.swap(ctx, f)
		}
	case f.Body == nil:
		err = a.remove(ctx, f, s)
	}
	if f.known != nil && (s.Op == OpReplace || s.Op == OpCreate && s.State != Held) {
		s.ID = f.known.ID
	}
	if err != nil {
		return err
	}
	if s.State == Planned {
		s.State = Done
	}
	f.remark(s)
	return nil
}

// create creates a tool. A banner with a display window is created disabled. create enables it once the
// service returns the same window. So a service that misreads the window can't show the banner too early.
func (a *Applier) create(ctx context.Context, f *facts, s *Step) error {
	f.now = nil
	if f.known != nil { // the tool was deleted by hand, so its ID is no longer valid
		f.known.ID, f.known.Seen = 0, nil
	}
	banner := decode[wire.Banner](f.Body)
	staged := f.Kind == wire.KindBanner && !banner.IsDisabled && banner.From+banner.To != ""
	body, hash := f.Body, document.HashOf(f.Body)
	if staged {
		banner.IsDisabled = true
		body, hash = document.Encode(banner), document.Hash{}
	}
	err := a.make(ctx, f, body, hash)
	switch {
	case notOffered(err): // some services can create all kinds of tools except quicklinks
		s.State, s.Text = NotOffered, "create it in the management console, then sitesync tools import quicklink ID"
		return nil
	case err != nil && mayHaveRun(err):
		s.State = Unknown
	}
	if err != nil || !staged {
		return err
	}
	f.now, err = a.Service.Get(ctx, f.Kind, f.known.ID)
	if err != nil {
		return fmt.Errorf("read it back: %w", err)
	}
	changes := f.toChange()
	i := slices.IndexFunc(changes, func(c Change) bool { return c.Name == "from" || c.Name == "to" })
	if i < 0 {
		return a.swap(ctx, f)
	}
	if err := a.Service.Delete(ctx, f.Kind, f.known.ID); err != nil {
		return fmt.Errorf("delete it, which is disabled: %w", err)
	}
	if err := a.Ledger.DropTool(string(f.Kind), f.Name); err != nil {
		return err
	}
	s.State = Failed
	s.Text = fmt.Sprintf("the service reads its display window otherwise (%s %s in place of %s); it was deleted again",
		changes[i].Name, cmp.Or(changes[i].From, "none"), cmp.Or(changes[i].To, "none"))
	return nil
}

// swap overwrites a tool. If the service can't do that, swap creates a new tool and deletes the old one.
func (a *Applier) swap(ctx context.Context, f *facts) error {
	body, hash := over(f.Kind, f.base(), f.Body), document.HashOf(f.Body)
	answer, err := a.Service.Replace(ctx, f.Kind, f.known.ID, body)
	switch {
	case notOffered(err):
		return a.make(ctx, f, body, hash)
	case err != nil:
		return err
	}
	return a.keep(f, document.Tool{ID: f.known.ID, Declared: hash, Seen: answer})
}

// make creates a tool, and then deletes the known tool that it replaces, if any. It writes the ledger before
// and after the call, so that the next run notices an unknown outcome.
func (a *Applier) make(ctx context.Context, f *facts, body []byte, hash document.Hash) error {
	var before document.Tool
	if f.known != nil {
		before = *f.known
	}
	intent := before
	intent.Making = true
	if err := a.keep(f, intent); err != nil {
		return err
	}
	answer, err := a.Service.Create(ctx, f.Kind, body)
	if err != nil && mayHaveRun(err) {
		return err
	}
	if err != nil {
		return cmp.Or(a.keep(f, before), err)
	}
	if before.ID != 0 {
		if err := a.Service.Delete(ctx, f.Kind, before.ID); err != nil && !notFound(err) {
			return fmt.Errorf("delete its earlier form: %w", err)
		}
	}
	return a.keep(f, document.Tool{ID: f.Kind.ID(answer), Declared: hash, Seen: answer})
}

// settle notes in the ledger that the service shows the tool as declared, no matter who changed it.
func (a *Applier) settle(f *facts) error {
	next := *f.known
	next.Seen, next.Declared, next.Retired = f.now, document.HashOf(f.Body), false
	if next.Declared == f.known.Declared && len(f.byHand()) == 0 && !f.known.Retired {
		return nil
	}
	return a.keep(f, next)
}

// remove deletes a tool. A ranking that the service can't delete is emptied and stays in the ledger.
func (a *Applier) remove(ctx context.Context, f *facts, s *Step) error {
	if !f.gone && f.known.ID != 0 {
		if err := a.backup(f); err != nil {
			return err
		}
		err := a.Service.Delete(ctx, f.Kind, f.known.ID)
		switch {
		case notOffered(err):
			was := decode[wire.Ranking](f.base())
			empty := document.Encode(wire.Ranking{
				Name: was.Name, WebsiteID: was.WebsiteID, Pages: []wire.RankedPage{}, RankingTerms: []wire.Term{},
			})
			answer, err := a.Service.Replace(ctx, f.Kind, f.known.ID, over(f.Kind, f.base(), empty))
			if err != nil {
				return err
			}
			s.Text = "the service can't delete rankings: its pages and terms are empty now"
			return a.keep(f, document.Tool{ID: f.known.ID, Seen: answer, Retired: true})
		case err != nil && !notFound(err):
			return err
		}
	}
	return a.Ledger.DropTool(string(f.Kind), f.Name)
}

func (a *Applier) backup(f *facts) error {
	if err := a.Backup(f.Kind, f.known.ID, f.base()); err != nil {
		return fmt.Errorf("back it up: %w; nothing was changed", err)
	}
	return nil
}

// Reader reads search tools of the service. Its errors have the methods of the interface failure.
type Reader interface {
	Get(ctx context.Context, kind wire.Kind, id int64) ([]byte, error)
}

// Service reads and writes search tools. An error is NotOffered (see failure) if the service has no such
// operation for the kind. Create and Replace return the stored tool, with its ID.
type Service interface {
	Reader
	Create(ctx context.Context, kind wire.Kind, body []byte) ([]byte, error)
	Replace(ctx context.Context, kind wire.Kind, id int64, body []byte) ([]byte, error)
	Delete(ctx context.Context, kind wire.Kind, id int64) error
}

// Ledger records what was last sent of each search tool.
type Ledger interface {
	PutTool(target document.ToolTarget, tool document.Tool) error
	DropTool(kind, name string) error
}

// failure is an error of package push, which calls the service.
type failure interface {
	error
	NotFound() bool
	NotOffered() bool
	MayHaveRun() bool
}

func notFound(err error) bool {
	e, ok := errors.AsType[failure](err)
	return ok && e.NotFound()
}

func notOffered(err error) bool {
	e, ok := errors.AsType[failure](err)
	return ok && e.NotOffered()
}

// mayHaveRun also reports true for errors of unknown types, to be safe.
func mayHaveRun(err error) bool {
	e, ok := errors.AsType[failure](err)
	return !ok || e.MayHaveRun()
}
