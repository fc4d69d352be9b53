package preview

import (
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/ui"
	"sitesync/internal/wire"
)

// Options say what is searched.
type Options struct {
	Engine int64
	Facets []string // fields by which results are narrowed
	Ledger string   // its file
	Texts  bool     // the ledger keeps the text of documents
	// Stored, where the ledger keeps no text, adds the documents that the local service
	// holds, as JSON; nil: the owner pushes to another one.
	Stored func(add func(doc []byte) error) error
	Dir    string                             // a temporary folder
	Room   func(dir string, need int64) error // errs where the disk has less
	// Tools adds the search tools of the owner's file, where there is one.
	Tools func(add func(kind wire.Kind, body []byte) error) error
}

// A Preview builds its indexes once it is asked for them. Close it at the end.
type Preview struct {
	o    Options
	ctx  context.Context //nolint:containedctx // of the building
	stop context.CancelFunc
	work errgroup.Group

	open sync.RWMutex // held for writing where sides are opened and closed
	side map[ui.Side]*service.Service

	mu       sync.Mutex // guards the rest
	progress ui.Progress
	plan     string
	building bool
}

const waiting = "waiting to begin"

// New returns a preview, which has built nothing yet.
func New(ctx context.Context, o Options) *Preview {
	p := &Preview{o: o, side: map[ui.Side]*service.Service{}, progress: ui.Progress{Doing: waiting}}
	p.ctx, p.stop = context.WithCancel(ctx)
	return p
}

// Close ends the building and the searching.
func (p *Preview) Close() {
	p.stop()
	_ = p.work.Wait() // Progress has its error
	p.shut()
}

func (p *Preview) shut() {
	p.open.Lock()
	defer p.open.Unlock()
	for _, s := range p.side {
		_ = s.Close() // it is thrown away
	}
	clear(p.side)
}

// Pending makes the plan in a file the one that After shows; empty: none is pending.
func (p *Preview) Pending(plan string) {
	p.mu.Lock()
	p.plan, p.progress = plan, ui.Progress{Doing: waiting}
	p.mu.Unlock()
}

// Progress says how far the indexes are, and has them built. An error is told once, then
// they are built anew.
func (p *Preview) Progress() ui.Progress {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.progress
	if now.Err != nil {
		p.progress = ui.Progress{Doing: waiting}
	} else if now.Doing != "" && !p.building {
		p.building = true
		p.work.Go(p.build)
	}
	return now
}

// build builds the sides until they are those of the plan that is pending.
func (p *Preview) build() error {
	for {
		p.mu.Lock()
		plan := p.plan
		p.mu.Unlock()
		built := p.sides(plan)
		p.mu.Lock()
		if p.plan == plan {
			p.progress, p.building = built, false
			p.mu.Unlock()
			return built.Err
		}
		p.mu.Unlock()
	}
}

// Search searches one side. It errs while that is not built.
func (p *Preview) Search(ctx context.Context, side ui.Side, q ui.Query) (*ui.Results, error) {
	p.mu.Lock()
	now := p.progress
	p.mu.Unlock()
	p.open.RLock()
	defer p.open.RUnlock()
	in := p.side[side]
	if now.Doing != "" || in == nil {
		return nil, fmt.Errorf("the index is not built yet: %s, %s of %s", now.Doing, document.Number(now.Done), document.Number(now.Of))
	}
	one := Live{Service: in, Customer: customer, Engine: p.o.Engine, Facets: p.o.Facets}
	return one.Search(ctx, side, q)
}
