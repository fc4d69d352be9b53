package run

import (
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/spool"
)

// details are what the changes of a plan do to the text of their documents, on disk. They
// are taken before anything is sent: then the ledger still has the old text.
type details struct {
	log   *spool.Log
	table *spool.Table // where those of a change stand
	note  string       // why old text is missing, in words
}

// takeDetails takes the details of a plan, where its result is to show them. The work folder
// and table of the run that made the plan serve, for it needs them no more.
func (s *session) takeDetails(file *planfile.File, out output) (err error) {
	if !s.app.Verbose && !out.json && (out.format == "" || out.format == "text") && out.report == "" {
		return nil
	}
	d := &details{table: spool.NewTable()}
	dir := ""
	if s.work != nil {
		dir, d.table = s.work.Dir, s.work.Table
	} else {
		dir, err = os.MkdirTemp("", "sitesync-")
		if err != nil {
			return fmt.Errorf("keep what changes: %w", err)
		}
		s.opened = append(s.opened, closer(func() error { return os.RemoveAll(dir) }))
	}
	path := filepath.Join(dir, "details")
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("keep what changes: %w", err)
	}
	d.log, err = spool.OpenLog(path)
	if err != nil {
		return err
	}
	s.details, s.opened = d, append(s.opened, d)
	if s.unread != nil {
		d.note = "old text is not shown: " + app.OneLine(s.unread)
		return d.take(file, nil)
	}
	err = app.ReadLedger(s.cfg, func(ledger *diffstore.Ledger) error {
		why, err := otherLedger(file, ledger)
		switch {
		case err != nil:
			return err
		case why != "":
			d.note = "old text is not shown: " + why
			return d.take(file, nil)
		case !s.cfg.Store.KeepText:
			d.note = "old text is not shown: store.keep_text is false"
		}
		return d.take(file, ledger)
	})
	if errors.Is(err, diffstore.ErrLocked) {
		d.note = "old text is not shown: another command holds the ledger"
		return d.take(file, nil)
	}
	return err
}

type closer func() error

func (c closer) Close() error { return c() }

// otherLedger says why a ledger does not hold the text from which a plan was made.
func otherLedger(file *planfile.File, ledger *diffstore.Ledger) (why string, err error) {
	identity, err := ledger.Identity()
	if err != nil {
		return "", err
	}
	generation, err := ledger.Generation()
	switch h := file.Header; {
	case err != nil:
		return "", err
	case h.Ledger != identity:
		return "the plan was made from another ledger", nil
	case h.Generation != generation:
		return "the ledger has moved on since the plan was made", nil
	}
	return "", nil
}

// take writes the details of each change; without a ledger they know new text alone.
func (d *details) take(file *planfile.File, ledger *diffstore.Ledger) error {
	for c, err := range file.Changes() {
		if err != nil {
			return err
		}
		var old document.Document
		if ledger != nil && c.Cause != document.CauseNew {
			if old, _, err = ledger.Text(c.ID); err != nil {
				return err
			}
		}
		detail, err := report.NewDetail(&c, old)
		if err != nil {
			return err
		}
		raw, err := spool.Encode(detail)
		if err != nil {
			return fmt.Errorf("keep what changes: %w", err)
		}
		d.table.SetValue(spool.Fingerprint(c.ID), uint64(d.log.Append(raw))) //nolint:gosec // an offset
		if d.log.Pending() > detailBytes {
			if err := d.log.Flush(); err != nil {
				return err
			}
		}
	}
	return d.log.Flush()
}

// Close closes the file, once.
func (d *details) Close() error {
	if d == nil || d.log == nil {
		return nil
	}
	log := d.log
	d.log = nil
	return log.Close()
}

// detailBytes is how much of the details waits to be written.
const detailBytes = 1 << 20

// join yields changes with their details, where there are any.
func (d *details) join(entries iter.Seq2[document.Entry, error]) iter.Seq2[report.Change, error] {
	return func(yield func(report.Change, error) bool) {
		for e, err := range entries {
			c := report.Change{Entry: e}
			if d != nil && err == nil {
				var raw []byte
				_, at := d.table.Get(spool.Fingerprint(e.ID))
				raw, err = d.log.Read(int64(at)) //nolint:gosec // an offset
				if err == nil {
					err = spool.Decode(raw, &c.Detail)
				}
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}
