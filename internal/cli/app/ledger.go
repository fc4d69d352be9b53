package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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

// Holder describes this process, for other processes that find a lock taken.
func (a *App) Holder() work.Holder { return work.Holder{Command: a.Command, Since: a.Now()} }

// Locked runs fn under the run lock (the lock of the work folder, which one process at a time can hold).
func (a *App) Locked(cfg *config.Config, fn func() error) (err error) {
	release, err := work.Lock(WorkDir(cfg), a.Holder())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	return fn()
}

// WriteLedger holds the run lock, and runs fn on the ledger (the record of what the index holds), open for
// writing.
func (a *App) WriteLedger(cfg *config.Config, fn func(*diffstore.Ledger) error) error {
	return a.Locked(cfg, func() error { return WithLedger(cfg, cfg.Store.Path, fn) })
}

// WithLedger runs fn on the ledger at path, open for writing. The setting store.keep_text of cfg decides
// whether the ledger stores the text of documents.
func WithLedger(cfg *config.Config, path string, fn func(*diffstore.Ledger) error) (err error) {
	ledger, err := diffstore.Open(path, cfg.Store.KeepText)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	return fn(ledger)
}

// behindLinks follows symbolic links from path to a path that is no link, and returns it. A command that
// replaces the ledger then does not replace a link to the ledger.
func behindLinks(path string) string {
	for range 40 {
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

// ReadLedger runs fn on the configuration's ledger, open for reading.
func ReadLedger(cfg *config.Config, fn func(*diffstore.Ledger) error) (err error) {
	ledger, err := diffstore.OpenRead(cfg.Store.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	return fn(ledger)
}

// ByHandSession runs fn with the ledger, open for writing, and a service client. It holds the run lock.
func (a *App) ByHandSession(
	ctx context.Context, fn func(*config.Config, *diffstore.Ledger, *push.Client) error,
) error {
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
		return fn(cfg, ledger, client)
	})
}

// SameTarget errs if the ledger belongs to another index than cfg names.
func SameTarget(ledger *diffstore.Ledger, cfg *config.Config) error {
	pinned, found, err := ledger.Target()
	if err != nil || !found {
		return err
	}
	const next = "correct [push], name another store.path, or take the ledger over with sync --adopt-target"
	return CheckTarget("the ledger "+cfg.Store.Path, pinned, cfg, next)
}

// CheckTarget errs if target, the index that the file describes, is not the index that cfg names. The error
// ends with advice.
func CheckTarget(file string, target document.Target, cfg *config.Config, advice string) error {
	now := Target(cfg, nil)
	if SameIndex(target, now) {
		return nil
	}
	return Usagef("%s describes customer %d, crawler %s at %s, "+
		"but the configuration names customer %d, crawler %s at %s; %s",
		file, target.Customer, target.Crawler, target.Base, now.Customer, now.Crawler, now.Base, advice)
}

// HoldingRuns returns the latest run over the whole site, and the later runs over parts of the site, latest
// first. Only in these runs may changes still be held by a brake (a limit on suspicious changes). Changes
// that were held in earlier runs are out of date.
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

// Held yields the changes that brakes (limits on suspicious changes) hold now.
func Held(ledger *diffstore.Ledger) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		runs, err := HoldingRuns(ledger)
		if err != nil {
			yield(document.Entry{}, err)
			return
		}
		decided := map[string]bool{} // IDs with a change in a later run that covered a part of the site
		for _, run := range runs {
			if run.Counts.Held == 0 && !run.Part && !run.Unsent {
				continue // a run that holds nothing; reading its entries may take long
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

// FindRun returns the run that name identifies: "last", an ID, or the beginning of exactly one ID.
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
		return found, Usagef("%d runs begin with %s, such as %s and %s; write more of the ID",
			len(fit), name, fit[0], fit[1])
	case name == "last":
		return found, Usagef("there is no run yet; %s makes one", a.Spell("sitesync sync"))
	}
	return found, Usagef("there is no run %s; %s lists them", name, a.Spell("sitesync history"))
}

// SoundLedger errs if the ledger is damaged, or if another process holds the run lock. It warns if other
// users can replace the ledger.
func (a *App) SoundLedger(ctx context.Context, cfg *config.Config) error {
	return a.Locked(cfg, func() error {
		if text := OpenFolder(cfg.Store.Path); text != "" {
			a.Logger().Warn(text)
		}
		return diffstore.CheckApart(ctx, cfg.Store.Path)
	})
}

// Advice returns text to append to the message of err: a command that helps, or "" if no command helps.
func (a *App) Advice(err error) string {
	if !errors.Is(err, diffstore.ErrDamaged) {
		return ""
	}
	return fmt.Sprintf("; %s puts the copy of the last run in its place, and with a FILE another backup; "+
		"if the file is no ledger, name another store.path", a.Spell("sitesync restore"))
}

// OpenFolder returns a warning if other users can write to the ledger's folder, because they could replace
// the ledger. Otherwise, and on Windows, it returns "".
func OpenFolder(path string) string {
	dir := filepath.Dir(path)
	info, err := os.Stat(dir)
	if err != nil || filepath.Separator != '/' || info.Mode()&fs.ModeSticky != 0 || info.Mode().Perm()&0o022 == 0 {
		return ""
	}
	return fmt.Sprintf("other users can write to the ledger's folder %s (mode %04o): chmod go-w %s",
		dir, info.Mode().Perm(), dir)
}

// KeepCopy copies the ledger to a file beside it, for "sitesync restore", if store.backup is true. If copying
// fails, KeepCopy only warns. After an interrupt it does nothing.
func (a *App) KeepCopy(ctx context.Context, cfg *config.Config) {
	if !cfg.Store.Backup || ctx.Err() != nil {
		return
	}
	if err := diffstore.KeepCopy(ctx, cfg.Store.Path); err != nil && ctx.Err() == nil {
		a.Logger().Warn("no new copy of the ledger was made, and the earlier one stays: " + OneLine(err))
	}
}

// SizeOf returns the size of a file in bytes, or 0 if the file can't be read.
func SizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// CanWrite errs if a file at path can't be written or created. It does not change the file.
func CanWrite(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // the user chose the path
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := filepath.Dir(path) // the loop finds the nearest folder that exists
	for _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && dir != filepath.Dir(dir); _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	file, err = os.CreateTemp(dir, ".sitesync-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
