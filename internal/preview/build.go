package preview

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/ui"
	"sitesync/internal/wire"
)

const (
	customer = 1
	crawler  = "preview"
)

const (
	stepDocs  = 2_500
	stepBytes = 8 << 20
)

// sides rebuilds both indexes. ui.Before gets the texts in the ledger (the record of the real index).
// ui.After is a copy of ui.Before with the plan (changes that the next run would send) applied.
func (p *Preview) sides(plan string) (built ui.Progress) {
	p.shut()
	defer func() {
		if built.Err != nil {
			p.shut()
		}
	}()
	err := errors.Join(os.RemoveAll(p.dir(ui.Before)), os.RemoveAll(p.dir(ui.After)))
	if err != nil {
		return ui.Progress{Err: err}
	}
	before, err := p.start(ui.Before)
	switch {
	case err != nil:
	case p.o.Texts:
		built.Sides = []ui.Side{ui.Before}
		built.Note, err = p.fillBefore(before)
	default:
		built.Note = "The ledger keeps no texts (store.keep_text), " +
			"so only the documents that the plan changes can be searched."
	}
	if err == nil {
		err := p.o.Tools(func(kind wire.Kind, body []byte) error { return before.AddTool(customer, kind, body) })
		if err != nil {
			built.Note += " Search tools are left out: " + err.Error()
		}
	}
	if plan != "" && err == nil {
		err = p.fillAfter(before, plan)
		built.Sides = append(built.Sides, ui.After)
	}
	built.Err = err
	return built
}

func (p *Preview) dir(side ui.Side) string { return filepath.Join(p.o.Dir, string(side)) }

func (p *Preview) start(side ui.Side) (*service.Service, error) {
	if err := os.MkdirAll(p.dir(side), 0o700); err != nil {
		return nil, err
	}
	path := filepath.Join(p.dir(side), "service.db")
	s, err := service.Open(service.Options{Path: path, APIKey: rand.Text(), CustomerID: customer, LoopbackOnly: true})
	if err != nil {
		return nil, err
	}
	p.open.Lock()
	defer p.open.Unlock()
	p.side[side] = s
	return s, nil
}

// fillBefore writes the documents of the ledger to the service. It reads a copy of the ledger, so that the
// ledger is not locked meanwhile.
func (p *Preview) fillBefore(to *service.Service) (note string, err error) {
	ledger, err := diffstore.OpenRead(p.o.Ledger)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	copied := filepath.Join(p.o.Dir, "ledger")
	if err := ledger.Detach(copied); err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(copied) }() // no harm if this fails: the whole folder is temporary
	counts, err := ledger.Count()
	if err != nil {
		return "", err
	}
	without := 0
	documents := counts[document.PushOK] + counts[document.PushDoubt]
	add, flush := p.fill(to, ui.Progress{Doing: "reading documents", Of: documents})
	for rec, err := range ledger.Briefs() {
		if err != nil {
			return "", err
		}
		if !rec.IsDocument() {
			continue
		}
		doc, found, err := ledger.Text(rec.ID)
		switch {
		case err != nil:
			return "", err
		case !found:
			without++
			continue
		}
		if err := add(service.Change{}, doc.Wire()); err != nil {
			return "", err
		}
	}
	err = flush()
	if without > 0 {
		note = fmt.Sprintf("The ledger has no text of %s; they are left out.", document.Count(without, "document"))
	}
	return note, err
}

// fillAfter copies the index ui.Before, and applies the plan to the copy. It omits changes that a brake (a
// limit on changes) holds.
func (p *Preview) fillAfter(before *service.Service, plan string) error {
	file, err := planfile.Open(plan)
	if err != nil {
		return err
	}
	if err := before.Close(); err != nil { // completes the files on disk, which are copied next
		return err
	}
	if err := os.CopyFS(p.dir(ui.After), os.DirFS(p.dir(ui.Before))); err != nil {
		return err
	}
	if _, err := p.start(ui.Before); err != nil {
		return err
	}
	after, err := p.start(ui.After)
	if err != nil {
		return err
	}
	counts := file.Trailer.Summary.Counts
	all := counts.Put + counts.Patch + counts.Delete + counts.BulkDelete
	add, flush := p.fill(after, ui.Progress{Doing: "carrying out the plan", Of: all})
	for c, err := range file.Changes() {
		if err == nil && c.State == document.Planned && c.Op != document.Queue {
			change := service.Change{Patch: c.Op == document.Patch}
			change.ID, change.Delete = c.ID, c.Op == document.Delete || c.Op == document.BulkDelete
			err = add(change, c.Doc)
		}
		if err != nil {
			return err
		}
	}
	return flush()
}

// fill returns two functions: add writes changes in batches, and flush writes the last batch. The parameter
// doc of add is a document as JSON, or empty.
func (p *Preview) fill(to *service.Service, progress ui.Progress) (
	add func(c service.Change, doc []byte) error, flush func() error,
) {
	var step []service.Change
	size := 0
	flush = func() error {
		p.mu.Lock()
		p.progress = progress
		p.mu.Unlock()
		if len(step) == 0 || p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		err := to.Write(customer, crawler, step)
		progress.Done += len(step)
		step, size = nil, 0
		return err
	}
	return func(c service.Change, doc []byte) error {
		if len(doc) > 0 {
			if err := json.Unmarshal(doc, &c.Document); err != nil {
				return err
			}
		}
		step, size = append(step, c), size+len(doc)
		if len(step) < stepDocs && size <= stepBytes {
			return nil
		}
		return flush()
	}, flush
}
