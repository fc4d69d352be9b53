package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// create makes a tool that the service does not have. A banner with a display window is
// made disabled, and enabled once the service shows the window as it was sent: a window
// that it reads otherwise would show the banner at once. Only with an update can that
// be done without a second banner, so where there was seen to be none it is made as declared.
func (a *Applier) create(ctx context.Context, f *facts, s *Step) error {
	found, err := a.found(ctx, f, *s)
	if err != nil || found.State != Planned {
		*s = found
		return err
	}
	f.now = nil
	if f.known != nil { // deleted by hand: its ID means nothing any more
		f.known.ID, f.known.Seen = 0, nil
	}
	banner := decode[wire.Banner](f.Body)
	staged := f.Kind == wire.KindBanner && !banner.IsDisabled && banner.From+banner.To != "" && !a.without["update banner"]
	body, hash := f.Body, document.HashBytes(f.Body)
	if staged {
		banner.IsDisabled = true
		body, hash = encode(banner), document.Hash{}
	}
	err = a.make(ctx, f, body, hash)
	switch {
	case notOffered(err) && f.Kind == wire.KindQuicklink:
		return refused{fmt.Errorf("create quicklink %q: the service does not offer that; create it in the management console, then sitesync tools import quicklink ID", f.Name)}
	case err != nil && mayHaveRun(err):
		s.State = Unknown
	case err == nil && staged:
		return a.enable(ctx, f)
	}
	return err
}

// enable makes a banner that was created disabled what the file says, or deletes it
// when the service shows another display window than was sent.
func (a *Applier) enable(ctx context.Context, f *facts) (err error) {
	if f.now, err = a.Service.Get(ctx, f.Kind, f.known.ID); err != nil {
		return fmt.Errorf("read banner %q back: %w", f.Name, err)
	}
	wrong := slices.DeleteFunc(f.toChange(), func(c Change) bool { return c.Name != "from" && c.Name != "to" })
	if len(wrong) == 0 {
		return a.swap(ctx, f)
	}
	if err := a.Service.Delete(ctx, f.Kind, f.known.ID); err != nil {
		return fmt.Errorf("delete banner %q, which is disabled: %w", f.Name, err)
	}
	err = refused{fmt.Errorf("create banner %q: the service reads its display window otherwise (%s); it was deleted again", f.Name, inWords(wrong))}
	return cmp.Or(a.Ledger.DropTool(string(f.Kind), f.Name), err)
}

func inWords(changes []Change) (text string) {
	for i, c := range changes {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %s in place of %s", c.Name, cmp.Or(c.From, "none"), cmp.Or(c.To, "none"))
	}
	return text
}

// refused is an error after which nothing is in doubt.
type refused struct{ error }

func (refused) MayHaveRun() bool { return false }

// make creates a tool, in place of the one that is known where there is one: the intent
// is noted first, so that a create whose answer is lost is not forgotten.
func (a *Applier) make(ctx context.Context, f *facts, body []byte, hash document.Hash) error {
	if ctx.Err() != nil { // nothing is in doubt yet
		return ctx.Err()
	}
	var before document.Tool
	if f.known != nil {
		before = *f.known
	}
	was := f.known
	intent := before
	intent.Making = true
	if err := a.keep(f, intent); err != nil {
		return err
	}
	answer, err := a.Service.Create(ctx, f.Kind, body)
	switch {
	case err != nil && mayHaveRun(err):
		return fmt.Errorf("%s %q: %w", f.Kind, f.Name, err)
	case err != nil:
		return a.takeBack(f, was, fmt.Errorf("%s %q: %w", f.Kind, f.Name, err))
	}
	return a.made(ctx, f, before, document.Tool{ID: idOf(answer), Declared: hash, Seen: answer})
}

// made notes a tool that is there now, and deletes the one before.
func (a *Applier) made(ctx context.Context, f *facts, before, next document.Tool) error {
	if next.Old = before.Old; before.ID != 0 {
		next.Old = append(next.Old, before.ID)
	}
	if err := a.keep(f, next); err != nil {
		return err
	}
	return a.clear(ctx, f.known)
}

// takeBack undoes the intent of a create that was turned down.
func (a *Applier) takeBack(f *facts, was *document.Tool, err error) error {
	f.known = was
	var ledgerErr error
	if was == nil || was.ID == 0 {
		ledgerErr = a.Ledger.DropTool(string(f.Kind), f.Name)
	} else {
		ledgerErr = a.keep(f, *was)
	}
	if ledgerErr != nil {
		return ledgerErr
	}
	return err
}

// found looks for a tool that is to be created, or may have been, where the service
// lists what it has: one of the very content is taken for it, one of the same name is
// left to the owner. Nothing of the kind: it is to be created.
func (a *Applier) found(ctx context.Context, f *facts, s Step) (Step, error) {
	if f.Body == nil || a.without["list "+string(f.Kind)] || s.State == Held {
		return s, nil
	}
	list, err := a.list(ctx, f)
	if notOffered(err) {
		a.without["list "+string(f.Kind)] = true
		return s, nil
	}
	if err != nil {
		return s, fmt.Errorf("%s %q: %w", f.Kind, f.Name, err)
	}
	var same [][]byte
	named := int64(0)
	for _, raw := range list {
		id, shown, want := idOf(raw), view(f.Kind, raw), view(f.Kind, f.Body)
		switch {
		case id == 0 || a.claimed[owned{string(f.Kind), id}]:
		case len(f.otherwise(raw)) == 0:
			same = append(same, raw)
		case want[0].Name == "name" && want[0] == shown[0] && want[1] == shown[1]: // of the same engine
			named = id
		}
	}
	switch {
	case len(same) == 1:
		return a.take(ctx, f, s, same[0])
	case len(same) > 1 || named != 0 && !a.Again:
		s.State, s.ID = Held, max(named, idOf(first(same)))
		s.Text = fmt.Sprintf("there are such already, not by this file: sitesync tools import %s %d takes one over", f.Kind, s.ID)
		return s, nil
	}
	s.State = Planned // nothing was created
	if f.known != nil {
		f.known.Making = false
	}
	return s, nil
}

func (a *Applier) list(ctx context.Context, f *facts) ([][]byte, error) {
	if f.Kind == wire.KindSynonyms {
		return a.Service.ListSynonyms(ctx, decode[wire.SynonymGroup](f.Body).Language)
	}
	return a.Service.List(ctx, f.Kind)
}

func first(list [][]byte) []byte {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// otherwise returns how a tool that the service lists differs from what is declared, or
// from what was begun: a banner that was made disabled first.
func (f *facts) otherwise(raw []byte) []Change {
	wrong := differences(view(f.Kind, f.Body), view(f.Kind, raw))
	if f.known != nil && f.known.Making {
		wrong = slices.DeleteFunc(wrong, func(c Change) bool { return c.Name == "disabled" })
	}
	return wrong
}

// take notes that a tool is there already.
func (a *Applier) take(ctx context.Context, f *facts, s Step, raw []byte) (Step, error) {
	var before document.Tool
	if f.known != nil && f.known.Making {
		before = *f.known
	}
	s.ID, s.State, s.Text = idOf(raw), Done, "was there already"
	if err := a.made(ctx, f, before, document.Tool{ID: s.ID, Seen: raw}); err != nil {
		return s, err
	}
	if f.now = raw; len(f.toChange()) > 0 {
		return s, a.swap(ctx, f)
	}
	return s, a.settle(f)
}
