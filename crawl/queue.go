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

// queue takes the addresses that a run finds. Each URL of the site goes into the frontier (the URLs to
// request) once. Other addresses are kept for the report.
type queue struct {
	opts     *Options
	site     *site.Site
	hosts    *hosts
	frontier *frontier.Frontier
	notes    *frontier.Notes
	warnings *warning.List
	left     leftOut
}

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

// follow queues url, which is in scope. The parameter by is a link to url, and after is the wave of the page
// with this link. A wave is the set of pages at one distance (number of links) from the start.
func (q *queue) follow(after int, url string, flags uint16, by document.Link) {
	h := q.hosts.of(url)
	if q.opts.Only != nil && !q.opts.Only(url) {
		// the flag Queued keeps the URL, which belongs to the site, off the list of left out addresses
		q.opts.Table.Mark(spool.Fingerprint(url), spool.Queued)
		return
	}
	// from KnownWave on, the distance of a page from the start is unknown, so MaxDepth forbids its links
	tooDeep := flags&spool.Linked != 0
	if after < frontier.KnownWave {
		tooDeep = after%frontier.FileWave >= q.opts.MaxDepth
	}
	if tooDeep && q.opts.MaxDepth > 0 {
		before, _ := q.opts.Table.Get(spool.Fingerprint(url))
		if before&(spool.Queued|spool.Known) == 0 { // a URL of an earlier run is requested anyway
			h.partial.Store(true)
		}
		return
	}
	wave := after + 1
	if site.IsFile(url) {
		wave = q.waveOfFile(wave)
	} else {
		by.Text = "" // only a file may take its title from a link
	}
	before := q.frontier.Add(frontier.Key{Wave: wave, Host: h.index}, url, flags)
	if before&spool.Queued == 0 {
		q.opts.Progress.Found.Add(1)
	}
	q.notes.Add(after, url, before, by)
}

// waveOfFile returns the wave for a file, given the wave that a page would get. Files come after all pages.
// If MaxDepth is set, each depth has its own wave of files.
func (q *queue) waveOfFile(wave int) int {
	switch {
	case wave >= frontier.FileWave:
		return wave
	case q.opts.MaxDepth > 0:
		return frontier.FileWave + wave
	}
	return frontier.FileWave
}

// excludes reports whether site.follow_only forbids a document of the index. A 304 would keep the document.
func (q *queue) excludes(url string, known document.Known) bool {
	return known.Document && q.site.FollowOnly.Find(url) != ""
}

// leftOut gathers the addresses that a page or a sitemap names and the crawl skips. It keeps at most mostLeft
// of them. It drops the largest fingerprints (hashes), so the order of the addresses does not matter.
type leftOut struct {
	mu     sync.Mutex
	halved int // how often the range of kept fingerprints was halved
	all    map[uint64]document.Page
}

const mostLeft = 10_000

// add adds an address. If several pages link to it, the page whose URL sorts first is kept as the referrer.
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

// outside returns the reason why an address is not part of the site; "" if it is part of the site.
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
