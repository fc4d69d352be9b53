package preview

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"html/template"
	"maps"
	"slices"
	"strings"
	"sync"

	"sitesync/internal/document"
	"sitesync/internal/service"
	"sitesync/internal/ui"
	"sitesync/internal/wire"
)

// Options configure a Preview. The ledger is the file that records what the index holds.
type Options struct {
	Engine int64
	Facets []string // fields whose values can narrow the results
	Ledger string
	Texts  bool   // the ledger keeps the text of documents
	Dir    string // a temporary folder for the indexes
	// Tools calls the function add for each search tool (banner, synonym and so on) of the user.
	Tools func(add func(kind wire.Kind, body []byte) error) error
}

// A Preview searches two indexes, before and after a plan (changes that the next run would send). It builds
// them when Progress is first called. The caller must call Close at the end.
type Preview struct {
	o    Options
	ctx  context.Context //nolint:containedctx // its end stops the building of indexes
	stop context.CancelFunc
	work sync.WaitGroup

	open sync.RWMutex // write-locked while the indexes are opened or closed
	side map[ui.Side]*service.Service

	mu       sync.Mutex // guards the fields below
	progress ui.Progress
	plan     string
	building bool
}

const waiting = "waiting to begin"

// New returns a Preview. It does not build the indexes yet.
func New(ctx context.Context, o Options) *Preview {
	p := &Preview{o: o, side: map[ui.Side]*service.Service{}, progress: ui.Progress{Doing: waiting}}
	p.ctx, p.stop = context.WithCancel(ctx)
	return p
}

// Close stops the building and closes both indexes.
func (p *Preview) Close() {
	p.stop()
	p.work.Wait()
	p.shut()
}

func (p *Preview) shut() {
	p.open.Lock()
	defer p.open.Unlock()
	for _, s := range p.side {
		_ = s.Close()
	}
	clear(p.side)
}

// Pending sets the plan file whose result the side After shows. An empty name means no plan.
func (p *Preview) Pending(plan string) {
	p.mu.Lock()
	p.plan, p.progress = plan, ui.Progress{Doing: waiting}
	p.mu.Unlock()
}

// Progress returns the progress of building the indexes. It starts the building if needed. If the building has
// failed, Progress returns the error once, and the next call builds again.
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

func (p *Preview) build() {
	for {
		p.mu.Lock()
		plan := p.plan
		p.mu.Unlock()
		built := p.sides(plan)
		p.mu.Lock()
		if p.plan == plan {
			p.progress, p.building = built, false
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
	}
}

// Search searches the index of one side. It errs while this index is not ready.
func (p *Preview) Search(ctx context.Context, side ui.Side, q ui.Query) (*ui.Results, error) {
	p.mu.Lock()
	now := p.progress
	p.mu.Unlock()
	p.open.RLock()
	defer p.open.RUnlock()
	in := p.side[side]
	if now.Doing != "" || in == nil {
		return nil, fmt.Errorf("the index is not built yet: %s", now.Doing)
	}
	one := Live{Service: in, Customer: customer, Engine: p.o.Engine, Facets: p.o.Facets}
	return one.Search(ctx, side, q)
}

const snippetBytes = 200

const mostFacetValues = 10

// Live searches a running service as it is now. It ignores the side of a query, because no plan is applied.
type Live struct {
	Service          *service.Service
	Customer, Engine int64
	Facets           []string
}

// Search runs a query as a visitor of the search engine would. It errs if the service can't answer.
func (l *Live) Search(ctx context.Context, _ ui.Side, q ui.Query) (*ui.Results, error) {
	text, facets := cmp.Or(strings.TrimSpace(q.Text), "*"), map[string][]string{}
	for _, field := range l.Facets {
		facets[field] = nil
	}
	maps.Copy(facets, q.Filters)
	request := service.Request{
		Page: q.Page + 1, PerPage: min(max(q.Size, 1), 100), Highlight: true,
		Fields: []string{"Title", "Url", "Description", "Content", "Date"},
	}
	request.Query.Text, request.Query.Facets, request.Query.FilterFacets = text, facets, true
	answer, err := l.Service.Find(ctx, l.Customer, l.Engine, request)
	if err != nil {
		return nil, err
	}
	results := &ui.Results{Total: answer.TotalDocument, Meant: answer.FixedQuery}
	for _, doc := range answer.TypedDocuments {
		url := cmp.Or(doc.Fields["Url"].Value, doc.ID)
		hit := ui.Hit{ID: doc.ID, URL: url, Date: doc.Fields["Date"].Value, Type: "page"}
		if doc.Type == 1 {
			hit.Type = "file"
		}
		hit.Title = shown(doc, "Title", doc.Fields["Title"].Value, hit.URL)
		hit.Snippet = shown(doc, "Content", doc.Fields["Description"].Value, doc.Fields["Content"].Value)
		results.Hits = append(results.Hits, hit)
	}
	for _, field := range l.Facets {
		facet := ui.Facet{Field: field}
		counts := answer.Facets[field].Items
		if len(counts) > max(mostFacetValues/2, answer.TotalDocument/2) && q.Filters[field] == nil {
			continue // useless as a filter: too many documents have a value of their own
		}
		for _, count := range counts {
			on := slices.Contains(q.Filters[field], count.Key)
			if on || len(facet.Values) < mostFacetValues {
				facet.Values = append(facet.Values, ui.Value{Text: count.Key, Count: count.Count, On: on})
			}
		}
		if len(facet.Values) > 0 {
			results.Facets = append(results.Facets, facet)
		}
	}
	return results, nil
}

// Progress reports that the index is ready, because a running service needs no building.
func (*Live) Progress() ui.Progress { return ui.Progress{Sides: []ui.Side{ui.Before}} }

// Pending does nothing, because Live has no plan.
func (*Live) Pending(string) {}

// shown returns the highlights of a field as HTML. Without highlights, it returns the beginning of the first
// text that is not empty.
func shown(doc service.Found, field string, texts ...string) template.HTML {
	found := strings.Join(doc.Fields[field].Highlights, " … ") // HTML with <b> around matching words
	if found == "" {
		found = html.EscapeString(document.Cut(cmp.Or(texts...), snippetBytes))
	}
	marked := strings.NewReplacer("<b>", "<mark>", "</b>", "</mark>").Replace(found)
	return template.HTML(marked) //nolint:gosec // marked is escaped HTML
}
