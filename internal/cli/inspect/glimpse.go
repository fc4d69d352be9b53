package inspect

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"sitesync/crawl"
	"sitesync/crawl/site"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/work"
)

// longestLook is the longest time that look takes. A host may ask for long pauses between requests.
const longestLook = 3 * time.Minute

type glimpse struct {
	ex     *extract.Extractor
	site   *site.Site
	survey document.Survey

	mu  sync.Mutex
	see func(*glimpse, *document.Page) error
}

// look crawls at most the given number of pages, in a temporary folder and without retries. It calls see
// for one page at a time. see must not keep the page's HTML tree. An error of see ends the crawl.
func look(
	ctx context.Context, a *app.App, cfg *config.Config, pages int, see func(*glimpse, *document.Page) error,
) (g *glimpse, err error) {
	ex, err := a.NewExtractor(ctx, cfg)
	if err != nil {
		return nil, app.Usage(err)
	}
	defer func() { err = errors.Join(err, ex.Close()) }()
	dir, err := os.MkdirTemp("", "sitesync-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	o := app.CrawlOptions(cfg, &work.Folder{Dir: dir, Table: spool.NewTable(), Group: &spool.Group{}})
	o.Retries, o.MaxDuration = 0, longestLook
	if o.MaxPages == 0 || o.MaxPages > pages {
		o.MaxPages = pages
	}
	crawler, err := crawl.New(o)
	if err != nil {
		return nil, app.Usage(err)
	}
	defer func() { err = errors.Join(err, crawler.Close()) }()
	g = &glimpse{ex: ex, site: crawler.Site(), see: see}
	g.survey, err = crawler.Run(ctx, noPast{}, g)
	return g, err
}

func (g *glimpse) Page(_ context.Context, p *document.Page) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.see(g, p)
}

type noPast struct{}

func (noPast) Known(func(string, document.Known) error) error { return nil }
func (noPast) Lookup(string) (document.Known, error)          { return document.Known{}, nil }
func (noPast) Host(string) (document.HostMemory, error)       { return document.HostMemory{}, nil }
