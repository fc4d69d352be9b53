package run

import (
	"errors"
	"fmt"
	"iter"
	"os"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/spool"
)

// details is a file with the old and new text of each change in a plan (the changes to send). It is made
// before the changes are sent, because sending replaces the old text in the ledger (the record of the index).
type details struct {
	path   string
	log    *spool.Log
	places *spool.Table // fingerprint of a document's ID → offset of its detail in log, plus 1
	note   string       // reason why the old text is missing
}

func (s *session) takeDetails(file *planfile.File) error {
	out := s.out
	if !s.app.Verbose && out.format == "text" && out.reportFile == "" {
		return nil
	}
	d, dir := &details{places: spool.NewTable()}, ""
	if s.work != nil {
		dir = s.work.Dir
	}
	made, err := os.CreateTemp(dir, "sitesync-details-")
	if err != nil {
		return fmt.Errorf("keep the changed text: %w", err)
	}
	d.path = made.Name()
	s.details, s.opened = d, append(s.opened, d)
	_ = made.Close()
	d.log, err = spool.OpenLog(d.path)
	if err != nil {
		return err
	}
	why := s.unread
	if why == nil {
		err = app.ReadLedger(s.cfg, func(ledger *diffstore.Ledger) error {
			why = oldText(file, ledger, s.cfg.Store.KeepText)
			if why == nil {
				return d.take(file, ledger)
			}
			return nil
		})
		if errors.Is(err, diffstore.ErrLocked) {
			why, err = err, nil
		}
	}
	if err == nil && why != nil {
		d.note = "old text is not shown: " + app.OneLine(why)
		err = d.take(file, nil)
	}
	return err
}

// oldText errs if the ledger does not hold the text that documents had before a plan's changes. kept is the
// setting store.keep_text.
func oldText(file *planfile.File, ledger *diffstore.Ledger, kept bool) error {
	identity, err := ledger.Identity()
	if err != nil {
		return err
	}
	generation, err := ledger.Generation()
	switch h := file.Header; {
	case err != nil:
		return err
	case h.Ledger != identity:
		return errors.New("the plan was made from another ledger")
	case h.Generation != generation:
		return errors.New("the ledger has moved on since the plan was made")
	case !kept && generation > 0:
		return errors.New("store.keep_text is false")
	}
	return nil
}

// take writes the details of each change. If ledger is nil, the details hold only the new text.
func (d *details) take(file *planfile.File, ledger *diffstore.Ledger) error {
	const flushBytes = 1 << 20
	for c, err := range file.Changes() {
		var old document.Document
		if err == nil && ledger != nil && c.Cause != document.CauseNew {
			old, _, err = ledger.Text(c.ID)
		}
		if err != nil {
			return err
		}
		detail, err := report.NewDetail(&c, old)
		if err != nil {
			return err
		}
		d.add(c.ID, detail)
		if d.log.Pending() > flushBytes {
			if err := d.log.Flush(); err != nil {
				return err
			}
		}
	}
	return d.log.Flush()
}

func (d *details) add(id string, detail report.Detail) {
	d.places.SetValue(spool.Fingerprint(id), uint64(d.log.Append(spool.Encode(detail)))+1)
}

func (d *details) join(entries iter.Seq2[document.Entry, error]) iter.Seq2[report.Change, error] {
	return func(yield func(report.Change, error) bool) {
		for e, err := range entries {
			c := report.Change{Entry: e}
			if d != nil && err == nil {
				c.Detail, err = d.of(e.ID)
			}
			if !yield(c, err) || err != nil {
				return
			}
		}
	}
}

func (d *details) of(id string) (detail report.Detail, err error) {
	_, at := d.places.Get(spool.Fingerprint(id))
	if at == 0 {
		return detail, nil
	}
	raw, err := d.log.Read(int64(at) - 1)
	if err != nil {
		return detail, err
	}
	return detail, spool.Decode(raw, &detail)
}

// Close removes the file. Only the first call has an effect.
func (d *details) Close() error {
	if d == nil || d.log == nil {
		return nil
	}
	log := d.log
	d.log = nil
	return errors.Join(log.Close(), os.Remove(d.path))
}
