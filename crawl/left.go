package crawl

import (
	"cmp"
	"context"
	"maps"
	"math"
	"path"
	"strings"
	"sync"

	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// leftOut gathers addresses that a page or a sitemap names and that are not asked: mostLeft at
// most, those with the smallest fingerprints, so that the choice depends on nothing but the URLs.
type leftOut struct {
	mu     sync.Mutex
	halved int // how often the fingerprints that are kept were halved
	all    map[uint64]*document.Page
}

const mostLeft = 10_000

// add takes in an address. Of several pages that name it the first in the order of URLs counts.
func (l *leftOut) add(p *document.Page) {
	fp := spool.Fingerprint(p.URL)
	l.mu.Lock()
	defer l.mu.Unlock()
	if fp > math.MaxUint64>>l.halved {
		return
	}
	if was := l.all[fp]; was != nil {
		if was.First.From <= p.First.From {
			was, p = p, was
		}
		p.InSitemap = p.InSitemap || was.InSitemap
	}
	l.all[fp] = p
	for len(l.all) > mostLeft {
		l.halved++
		maps.DeleteFunc(l.all, func(fp uint64, _ *document.Page) bool { return fp > math.MaxUint64>>l.halved })
	}
}

// outside says why an address is not the site's; empty where it is.
func (r *run) outside(url string) (seen document.Seen, why string) {
	if r.crawler.hosts[weburl.Origin(url)] == nil {
		return document.OtherHost, "it is on another host"
	}
	if site.IsAsset(url) {
		return document.LeftOut, "its name ends in " + strings.ToLower(path.Ext(weburl.Path(url))) + ", which makes no document"
	}
	if ok, why := r.crawler.site.Includes(url); !ok {
		return document.LeftOut, why
	}
	return "", ""
}

// pass notes an address that a page names and that is not asked, for its own reason or the
// given one, and returns what was noted: of another host its start page.
func (r *run) pass(url, from, why string) string {
	seen, own := r.outside(url)
	if seen == document.OtherHost {
		url = weburl.Origin(url) + "/"
	}
	r.left.add(&document.Page{URL: url, Seen: cmp.Or(seen, document.LeftOut), Why: cmp.Or(own, why), First: document.First{From: from}})
	return url
}

// tellLeft hands over what was left out, and neither known nor asked all the same.
func (r *run) tellLeft(ctx context.Context) error {
	for fp, p := range r.left.all {
		if flags, _ := r.opts.Table.Get(fp); flags&(spool.Queued|spool.Sighted|spool.Known) != 0 {
			continue
		}
		if err := r.sink.Page(ctx, p); err != nil {
			return err
		}
	}
	return nil
}
