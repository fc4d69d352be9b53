package preview

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/ui"
	"sitesync/internal/wire"
)

// Both stores hold one crawler's documents of one customer.
const (
	customer = 1
	crawler  = "preview"
)

// Documents that are written at once, at most, and their bytes.
const (
	stepDocs  = 2_500
	stepBytes = 8 << 20
)

// Tool is a search tool as a file declares it.
type Tool struct {
	Kind wire.Kind
	Body []byte
}

// Options say what is searched.
type Options struct {
	Engine int64
	Ledger string                                              // its file
	Texts  bool                                                // the ledger keeps the text of documents
	Folder func() (dir string, remove func() error, err error) // a temporary one
	Room   func(dir string, need int64) error                  // errs where the disk has less
	Tools  func() ([]Tool, error)                              // of the owner's file; none where there is no such file
}

// A Preview builds its indexes once it is asked for them. Close it at the end.
type Preview struct {
	o    Options
	ctx  context.Context //nolint:containedctx // of the building
	stop context.CancelFunc
	wake chan struct{}
	done chan struct{}

	open sync.RWMutex // held for writing where sides are opened and closed
	side map[ui.Side]*service.Service

	mu       sync.Mutex // guards the rest
	progress ui.Progress
	plan     string
}

// New returns a preview, which has built nothing yet.
func New(ctx context.Context, o Options) *Preview {
	p := &Preview{o: o, wake: make(chan struct{}, 1), done: make(chan struct{}), side: map[ui.Side]*service.Service{}}
	p.progress.Doing = "waiting to begin"
	p.ctx, p.stop = context.WithCancel(ctx)
	go p.work()
	return p
}

// Close ends the building, and removes the indexes.
func (p *Preview) Close() {
	p.stop()
	<-p.done
}

// Pending makes the plan in a file the one that After shows; empty: none is pending.
func (p *Preview) Pending(plan string) {
	p.mu.Lock()
	p.plan, p.progress = plan, ui.Progress{Doing: "waiting to begin"}
	p.mu.Unlock()
}

// Progress says how far the indexes are, and has them built.
func (p *Preview) Progress() ui.Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.progress.Doing != "" {
		select {
		case p.wake <- struct{}{}:
		default: // it is awake
		}
	}
	return p.progress
}

func (p *Preview) tell(progress ui.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.progress = progress
}

// Search searches one side. It errs while that is not built.
func (p *Preview) Search(ctx context.Context, side ui.Side, q ui.Query) (*ui.Results, error) {
	progress := p.Progress()
	if progress.Err != nil {
		return nil, progress.Err
	}
	p.open.RLock()
	defer p.open.RUnlock()
	in := p.side[side]
	if progress.Doing != "" || in == nil {
		return nil, fmt.Errorf("the index is not built yet: %s, %s of %s", progress.Doing, document.Number(progress.Done), document.Number(progress.Of))
	}
	return find(ctx, in, customer, p.o.Engine, q)
}

// work builds what is asked for, until the end.
func (p *Preview) work() {
	defer close(p.done)
	dir, remove, err := "", func() error { return nil }, error(nil)
	defer func() {
		p.shut()
		_ = remove() // else the next run does
	}()
	for {
		select {
		case <-p.ctx.Done():
			return
		case <-p.wake:
		}
		p.mu.Lock()
		plan, due := p.plan, p.progress.Doing != ""
		p.mu.Unlock()
		if !due {
			continue
		}
		if dir == "" {
			dir, remove, err = p.o.Folder()
			if err != nil {
				p.tell(ui.Progress{Err: err})
				dir, remove = "", func() error { return nil }
				continue
			}
		}
		note, err := p.build(dir, plan)
		p.mu.Lock()
		if p.plan == plan { // else it is due again
			p.progress = ui.Progress{After: plan != "" && err == nil, Note: note, Err: err}
		}
		p.mu.Unlock()
	}
}

func (p *Preview) shut() {
	p.open.Lock()
	defer p.open.Unlock()
	for _, s := range p.side {
		_ = s.Close() // it is thrown away
	}
	clear(p.side)
}

// build makes the sides anew: before from the ledger, after from a copy of it and the plan.
func (p *Preview) build(dir, plan string) (note string, err error) {
	p.shut()
	for _, side := range []ui.Side{ui.Before, ui.After} {
		if err := os.RemoveAll(filepath.Join(dir, string(side))); err != nil {
			return "", err
		}
	}
	before, err := p.start(dir, ui.Before)
	if err != nil {
		return "", err
	}
	note, err = p.fromLedger(dir, before)
	if err == nil && plan != "" {
		err = before.Close() // so that its files are whole
		if err == nil {
			err = os.CopyFS(filepath.Join(dir, string(ui.After)), os.DirFS(filepath.Join(dir, string(ui.Before))))
		}
		if err == nil {
			_, err = p.start(dir, ui.Before)
		}
		if err == nil {
			err = p.fromPlan(dir, plan)
		}
	}
	if err != nil {
		p.shut()
	}
	return note, err
}

// start opens the store of a side.
func (p *Preview) start(dir string, side ui.Side) (*service.Service, error) {
	dir = filepath.Join(dir, string(side))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	s, err := service.Open(service.Options{Path: filepath.Join(dir, "service.db"), APIKey: rand.Text(), CustomerID: customer, LoopbackOnly: true, Search: true})
	if err != nil {
		return nil, err
	}
	p.open.Lock()
	defer p.open.Unlock()
	p.side[side] = s
	return s, nil
}

// fromLedger writes what the ledger keeps of each document, from a copy: a run that sends
// must not wait.
func (p *Preview) fromLedger(dir string, to *service.Service) (note string, err error) {
	ledger, err := diffstore.OpenRead(p.o.Ledger)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	if info, err := os.Stat(p.o.Ledger); err == nil {
		if err := p.o.Room(dir, roomFor*info.Size()); err != nil {
			return "", err
		}
	}
	if err := ledger.Detach(filepath.Join(dir, "ledger")); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, os.Remove(filepath.Join(dir, "ledger"))) }()
	total, err := ledger.Documents()
	if err != nil {
		return "", err
	}
	without := 0
	if err := p.fill(to, ui.Progress{Doing: "reading documents", Of: total}, texts(ledger, &without)); err != nil {
		return "", err
	}
	switch {
	case without > 0 && !p.o.Texts:
		note = "The ledger keeps no texts (store.keep_text), so the index as it is can't be searched."
	case without > 0:
		note = fmt.Sprintf("The ledger has no text of %s; they are left out.", document.Count(without, "document"))
	}
	all, err := p.o.Tools()
	for i := 0; err == nil && i < len(all); i++ {
		err = to.AddTool(customer, all[i].Kind, all[i].Body)
	}
	if err != nil {
		note += " Search tools are left out: " + err.Error()
	}
	return note, nil
}

// roomFor is how many times the size of the ledger both sides and its copy may take.
const roomFor = 12

// texts yields the acknowledged documents, and counts those without text.
func texts(ledger *diffstore.Ledger, without *int) iter.Seq2[service.Change, error] {
	return func(yield func(service.Change, error) bool) {
		enough := errors.New("enough")
		err := ledger.Records(func(id string, decode func(bool) (*document.Record, error)) error {
			rec, err := decode(true)
			if err != nil || !rec.IsDocument() {
				return err
			}
			doc, found, err := ledger.Text(id)
			if err != nil {
				return err
			}
			if !found {
				*without++
				return nil
			}
			var c service.Change
			if err := json.Unmarshal(doc.Wire(), &c.Document); err != nil {
				return err
			}
			if !yield(c, nil) {
				return enough
			}
			return nil
		})
		if err != nil && !errors.Is(err, enough) {
			yield(service.Change{}, err)
		}
	}
}

// fromPlan carries the plan out on the after side, except what is held.
func (p *Preview) fromPlan(dir, plan string) error {
	file, err := planfile.Open(plan)
	if err != nil {
		return err
	}
	after, err := p.start(dir, ui.After)
	if err != nil {
		return err
	}
	counts := file.Trailer.Summary.Counts
	return p.fill(after, ui.Progress{Doing: "carrying out the plan", Of: counts.Put + counts.Patch + counts.Delete + counts.BulkDelete}, func(yield func(service.Change, error) bool) {
		for c, err := range file.Changes() {
			if err == nil && (c.State != document.Planned || c.Op == document.Queue) {
				continue
			}
			change := service.Change{Patch: c.Op == document.Patch, Delete: c.Op == document.Delete || c.Op == document.BulkDelete}
			if err == nil && !change.Delete {
				err = json.Unmarshal(c.Doc, &change.Document)
			}
			change.ID = c.ID
			if !yield(change, err) || err != nil {
				return
			}
		}
	})
}

// fill writes changes, a step at a time, and tells how far it is.
func (p *Preview) fill(to *service.Service, progress ui.Progress, changes iter.Seq2[service.Change, error]) error {
	var step []service.Change
	size := 0
	write := func() error {
		p.tell(progress)
		if len(step) == 0 || p.ctx.Err() != nil {
			return p.ctx.Err()
		}
		err := to.Write(customer, crawler, step)
		progress.Done += len(step)
		step, size = nil, 0
		return err
	}
	for c, err := range changes {
		if err != nil {
			return err
		}
		for _, value := range c.Fields {
			size += len(value)
		}
		step = append(step, c)
		if len(step) == stepDocs || size > stepBytes {
			if err := write(); err != nil {
				return err
			}
		}
	}
	return write()
}
