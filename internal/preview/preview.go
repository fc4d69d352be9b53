package preview

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"slices"
	"strings"
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
	Dir    string   // a temporary folder
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

// snippetBytes is how much of a text is shown where no word of it matches.
const snippetBytes = 200

// mostValues is how many values of a facet are shown.
const mostValues = 10

// Live searches what a service holds. It has one side.
type Live struct {
	Service          *service.Service
	Customer, Engine int64
	Facets           []string // fields by which results are narrowed
}

// Search searches for the visitors of the engine.
func (l *Live) Search(ctx context.Context, _ ui.Side, q ui.Query) (*ui.Results, error) {
	text, facets := cmp.Or(strings.TrimSpace(q.Text), "*"), map[string][]string{}
	for _, field := range l.Facets {
		facets[field] = nil
	}
	request := service.Request{
		Page: q.Page + 1, PerPage: min(max(q.Size, 1), 100), Highlight: true,
		Fields: []string{"Title", "Url", "Description", "Content", "Date"},
	}
	request.Query.Text, request.Query.Facets, request.Query.Filters.Values = text, facets, q.Filters
	answer, err := l.Service.Find(ctx, l.Customer, l.Engine, request)
	if err != nil {
		return nil, err
	}
	results := &ui.Results{Total: answer.TotalDocument, Meant: answer.FixedQuery}
	for _, doc := range answer.TypedDocuments {
		hit := ui.Hit{ID: doc.ID, URL: cmp.Or(doc.Fields["Url"].Value, doc.ID), Date: doc.Fields["Date"].Value, Type: "page"}
		if doc.Type == 1 {
			hit.Type = "file"
		}
		hit.Title = shown(doc, "Title", hit.URL)
		hit.Snippet = shown(doc, "Content", doc.Fields["Description"].Value)
		results.Hits = append(results.Hits, hit)
	}
	for _, field := range l.Facets {
		facet := ui.Facet{Field: field}
		counts := answer.Facets[field].Items
		if len(counts) > max(mostValues/2, answer.TotalDocument/2) && q.Filters[field] == nil {
			continue // nearly every document has a value of its own
		}
		for _, count := range counts {
			on := slices.Contains(q.Filters[field], count.Key)
			if on || len(facet.Values) < mostValues {
				facet.Values = append(facet.Values, ui.Value{Text: count.Key, Count: count.Count, On: on})
			}
		}
		if len(facet.Values) > 0 {
			results.Facets = append(results.Facets, facet)
		}
	}
	return results, nil
}

// Progress says that there is nothing to build.
func (*Live) Progress() ui.Progress { return ui.Progress{Sides: []ui.Side{ui.Before}} }

// Pending does nothing: no plan is pending here.
func (*Live) Pending(string) {}

// shown returns the fragments of a field that match, else instead, else its beginning.
func shown(doc service.Found, field, instead string) (pieces []ui.Piece) {
	for i, fragment := range doc.Fields[field].Highlights {
		if i > 0 {
			pieces = append(pieces, ui.Piece{Text: " … "})
		}
		pieces = append(pieces, unmark(fragment)...)
	}
	if pieces != nil {
		return pieces
	}
	text := doc.Fields[field].Value
	if field == "Content" || text == "" {
		text = cmp.Or(instead, text)
	}
	if len(text) > snippetBytes {
		text = strings.ToValidUTF8(text[:snippetBytes], "") + "…"
	}
	return []ui.Piece{{Text: text}}
}

// unmark returns escaped HTML with words in <b> as plain text with marks.
func unmark(fragment string) (pieces []ui.Piece) {
	for i, part := range strings.Split(fragment, "<b>") {
		marked, rest, closed := strings.Cut(part, "</b>")
		if i == 0 || !closed {
			marked, rest = "", part
		}
		for _, piece := range []ui.Piece{{Text: html.UnescapeString(marked), Mark: true}, {Text: html.UnescapeString(rest)}} {
			if piece.Text != "" {
				pieces = append(pieces, piece)
			}
		}
	}
	return pieces
}
