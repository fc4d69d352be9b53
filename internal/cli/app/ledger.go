package app

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"sitesync/diffstore"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/work"
	"sitesync/push"
)

// Holder is this process as those are told who wait for it.
func (a *App) Holder() work.Holder { return work.Holder{Command: a.Command, Since: a.Now()} }

// Locked runs fn under the run lock.
func (a *App) Locked(cfg *config.Config, fn func() error) (err error) {
	release, err := work.Lock(WorkDir(cfg), a.Holder())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return fn()
}

// WriteLedger runs fn on the configuration's ledger, open for writing, under the
// run lock: beside a run nothing writes the ledger.
func (a *App) WriteLedger(cfg *config.Config, fn func(*diffstore.Ledger) error) error {
	return a.Locked(cfg, func() error { return WithLedger(cfg, cfg.Store.Path, fn) })
}

// WithLedger runs fn on the ledger at path, open for writing as cfg says.
func WithLedger(cfg *config.Config, path string, fn func(*diffstore.Ledger) error) (err error) {
	ledger, err := diffstore.Open(path, cfg.Store.KeepText)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	return fn(ledger)
}

// behindLinks returns the file that a chain of symbolic links leads to, there or not:
// whoever gives the ledger another file must not put it in the link's place.
func behindLinks(path string) string {
	for range 40 { // as many as Linux follows
		to, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return path
}

// ReadLedger runs fn on the configuration's ledger, opened for reading.
func ReadLedger(cfg *config.Config, fn func(*diffstore.Ledger) error) (err error) {
	ledger, err := diffstore.OpenRead(cfg.Store.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	return fn(ledger)
}

// ByHandSession opens what a raw call needs: the ledger, held for its duration, and
// a client.
func (a *App) ByHandSession(ctx context.Context, call func(*config.Config, *diffstore.Ledger, *push.Client) error) error {
	cfg, err := a.Load(NeedStore, (*config.Config).NeedPush)
	if err != nil {
		return err
	}
	if err := diffstore.CheckApart(ctx, cfg.Store.Path); err != nil {
		return err
	}
	return a.WriteLedger(cfg, func(ledger *diffstore.Ledger) error {
		if err := SameTarget(ledger, cfg); err != nil {
			return err
		}
		client, closeService, err := a.Connect(ctx, cfg)
		if err != nil {
			return err
		}
		defer closeService()
		return call(cfg, ledger, client)
	})
}

// SameTarget errs when the ledger describes another index than cfg names.
func SameTarget(ledger *diffstore.Ledger, cfg *config.Config) error {
	pinned, found, err := ledger.Target()
	if err != nil || !found {
		return err
	}
	return CheckTarget("the ledger "+cfg.Store.Path, pinned, cfg, "correct [push], name another store.path, or take the ledger over with sync --adopt-target")
}

// CheckTarget errs when a file that is pinned to was describes another index than cfg
// names; next says what to do.
func CheckTarget(file string, was document.Target, cfg *config.Config, next string) error {
	now := Target(cfg, nil)
	if SameIndex(was, now) {
		return nil
	}
	return Usagef("%s describes customer %d, crawler %s at %s, but the configuration names customer %d, crawler %s at %s; %s",
		file, was.Customer, was.Crawler, was.Base, now.Customer, now.Crawler, now.Base, next)
}

// PastChange is a change as the history tells it.
type PastChange struct {
	Run string `json:"run"`
	document.Entry
}

// LastChange returns what a run last sent of a URL, or, unless sent alone counts, tried or holds
// still; nil where the history tells of nothing. What a later run of the whole site no longer
// held was no change.
func LastChange(ledger *diffstore.Ledger, url string, sent bool) (*PastChange, error) {
	over := false
	for run, err := range ledger.Runs() {
		if err != nil {
			return nil, err
		}
		for e, err := range ledger.Entries(run.Run) {
			if err != nil {
				return nil, err
			}
			if e.ID == url && !(over && e.State == document.Held) && !(sent && e.State != document.Acknowledged) {
				return &PastChange{run.Run, e}, nil
			}
		}
		over = over || !run.Part
	}
	return nil, nil
}

// HoldingRuns returns the last run. If that looked at a part of the site alone, the earlier runs
// follow, back to one of the whole site: what they held is still held, unless a later run
// decided on it.
func HoldingRuns(ledger *diffstore.Ledger) ([]document.Summary, error) {
	last, found, err := ledger.Run("")
	if err != nil || !found {
		return nil, err
	}
	runs := []document.Summary{last}
	for run, err := range ledger.Runs() {
		switch {
		case err != nil:
			return nil, err
		case !runs[len(runs)-1].Part:
			return runs, nil
		case run.Run != last.Run:
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// Held yields the changes that the runs of HoldingRuns held.
func Held(ledger *diffstore.Ledger) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		runs, err := HoldingRuns(ledger)
		if err != nil {
			yield(document.Entry{}, err)
			return
		}
		decided := map[string]bool{} // by a later run of a part
		for _, run := range runs {
			if run.Counts.Held == 0 && !run.Part && !run.Unsent {
				continue // a first run has an entry for each page
			}
			for e, err := range ledger.Entries(run.Run) {
				if err != nil {
					yield(e, err)
					return
				}
				if e.State == document.Held && !decided[e.ID] && !yield(e, nil) {
					return
				}
				if run.Part {
					decided[e.ID] = true
				}
			}
		}
	}
}

// FindRun returns the run of the history that name stands for: "last", an ID, or the
// beginning of one ID alone.
func (a *App) FindRun(ledger *diffstore.Ledger, name string) (found document.Summary, err error) {
	var fit []string
	for run, err := range ledger.History() {
		switch {
		case err != nil || name == "last" || run.Run == name:
			return run, err
		case name != "" && strings.HasPrefix(run.Run, strings.ToUpper(name)):
			fit, found = append(fit, run.Run), run
		}
	}
	switch {
	case len(fit) == 1:
		return found, nil
	case len(fit) > 1:
		return found, Usagef("%s is the beginning of %d runs, %s and %s among them; write more of it", name, len(fit), fit[0], fit[1])
	case name == "last":
		return found, Usagef("there is no run yet; %s makes one", a.Spell("sitesync sync"))
	}
	return found, Usagef("there is no run %s; %s lists them", name, a.Spell("sitesync history"))
}
