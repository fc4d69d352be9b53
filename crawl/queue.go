package crawl

import (
	"maps"
	"math"
	"path"
	"strings"
	"sync"

	"sitesync/crawl/frontier"
	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/warning"
	"sitesync/internal/weburl"
)

// queue takes in the addresses that a run finds: those of the site into the frontier, each
// once, and the others for the owner to know.
type queue struct {
	opts     *Options
	site     *site.Site
	hosts    *hosts
	frontier *frontier.Frontier
	notes    *frontier.Notes
	warnings *warning.List
	left     leftOut
}

// seed queues url for the first wave when it is in scope.
func (q *queue) seed(url string, flags uint16) {
	h := q.hosts.of(url)
	if h == nil || q.opts.Only != nil && !q.opts.Only(url) {
		return
	}
	if ok, why := q.site.Includes(url); !ok {
		if flags&spool.Start != 0 {
			q.warnings.Add("start", url, "out of scope: "+why)
		}
		listed, _ := q.opts.Table.Get(spool.Fingerprint(url))
		q.left.add(document.Page{URL: url, Seen: document.LeftOut, Why: why, InSitemap: listed&spool.InSitemap != 0})
		return
	}
	wave := 0
	if site.IsFile(url) {
		wave = frontier.FileWave
	}
	if q.frontier.Add(frontier.Key{Wave: wave, Host: h.index}, url, flags|spool.Seeded)&spool.Queued == 0 {
		q.opts.Progress.Found.Add(1)
	}
}

// follow puts url, which is in scope, behind a wave whose page leads there. by is how it was
// found.
func (q *queue) follow(after int, url string, flags uint16, by document.Link) {
	h := q.hosts.of(url)
	if q.opts.Only != nil && !q.opts.Only(url) {
		q.opts.Table.Mark(spool.Fingerprint(url), spool.Queued) // of the site, but not looked at
		return
	}
	tooDeep := flags&spool.Linked != 0 // a page whose depth is not known leads to its redirect's target and no further
	if after < frontier.KnownWave {
		tooDeep = after%frontier.FileWave >= q.opts.MaxDepth // as many links lead here from a start page or a sitemap
	}
	if tooDeep && q.opts.MaxDepth > 0 {
		before, _ := q.opts.Table.Get(spool.Fingerprint(url))
		if before&(spool.Queued|spool.Known) == 0 { // a known URL is asked anyway
			h.partial.Store(true)
		}
		return
	}
	wave := after + 1
	if site.IsFile(url) {
		wave = q.waveOfFile(wave)
	} else {
		by.Text = "" // only a file's title may be that of its link
	}
	before := q.frontier.Add(frontier.Key{Wave: wave, Host: h.index}, url, flags)
	if before&spool.Queued == 0 {
		q.opts.Progress.Found.Add(1)
	}
	q.notes.Add(after, url, before, by)
}

// waveOfFile returns the wave in which a file is asked that a page leads to, where a
// page would be asked in the given one: behind all pages, and as deep where that
// counts.
func (q *queue) waveOfFile(wave int) int {
	switch {
	case wave >= frontier.FileWave:
		return wave
	case q.opts.MaxDepth > 0:
		return frontier.FileWave + wave
	}
	return frontier.FileWave
}

// excludes reports whether a known document is to leave the index for
// site.follow_only. It is read for real then: a hint would hide that.
func (q *queue) excludes(url string, known document.Known) bool {
	return known.Document && q.site.FollowOnly.Find(url) != ""
}

// leftOut gathers addresses that a page or a sitemap names and that are not asked: mostLeft at
// most, those with the smallest fingerprints, so that the choice depends on nothing but the URLs.
type leftOut struct {
	mu     sync.Mutex
	halved int // how often the fingerprints that are kept were halved
	all    map[uint64]document.Page
}

const mostLeft = 10_000

// add takes in an address. Of several pages that name it the first in the order of URLs counts.
func (l *leftOut) add(p document.Page) {
	fp := spool.Fingerprint(p.URL)
	l.mu.Lock()
	defer l.mu.Unlock()
	if fp > math.MaxUint64>>l.halved {
		return
	}
	if was, known := l.all[fp]; known {
		if was.First.From <= p.First.From {
			was, p = p, was
		}
		p.InSitemap = p.InSitemap || was.InSitemap
	}
	l.all[fp] = p
	for len(l.all) > mostLeft {
		l.halved++
		maps.DeleteFunc(l.all, func(fp uint64, _ document.Page) bool { return fp > math.MaxUint64>>l.halved })
	}
}

// outside says why an address is not the site's; empty where it is.
func (q *queue) outside(url string) (seen document.Seen, why string) {
	if q.hosts.of(url) == nil {
		return document.OtherHost, "it is on another host"
	}
	if site.IsAsset(url) {
		ext := strings.ToLower(path.Ext(weburl.Path(url)))
		return document.LeftOut, "its name ends in " + ext + ", which makes no document"
	}
	if ok, why := q.site.Includes(url); !ok {
		return document.LeftOut, why
	}
	return "", ""
}
