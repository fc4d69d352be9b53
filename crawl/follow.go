package crawl

import (
	"sitesync/crawl/frontier"
	"sitesync/crawl/page"
	"sitesync/crawl/site"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// follow queues where the page leads: targets and canonicals always, links as far
// as the configuration and the page allow.
func (w *worker) follow(p *document.Page, links page.Links) {
	for _, url := range []string{p.Target, p.Canonical, links.Refresh} {
		if url != "" {
			w.queue(url, 0, document.Link{From: p.URL})
		}
	}
	fp := spool.Fingerprint(links.Refresh)
	if flags, _ := w.run.opts.Table.Get(fp); links.Refresh != "" && flags&spool.Queued != 0 {
		w.run.opts.Table.Mark(fp, spool.Linked) // readers get there, but it is no step of depth
	}
	if !w.run.opts.Links || links.NoFollow != "" || w.run.crawler.site.NoFollow.Find(p.URL) != "" {
		return
	}
	for i := range links.Found {
		link := &links.Found[i]
		w.queue(link.URL, spool.Linked, document.Link{From: p.URL, Text: link.Text})
	}
}

// queue puts url into the next wave when it is in scope. by is how it was found.
func (w *worker) queue(url string, flags uint16, by document.Link) {
	h := w.run.crawler.hosts[weburl.Origin(url)]
	if h == nil || site.IsAsset(url) {
		return
	}
	if ok, _ := w.run.crawler.site.Includes(url); !ok {
		return
	}
	if w.run.opts.Only != nil && !w.run.opts.Only(url) {
		w.run.opts.Table.Mark(spool.Fingerprint(url), spool.Queued) // of the site, but not looked at
		return
	}
	if w.tooDeep(flags) {
		if before, _ := w.run.opts.Table.Get(spool.Fingerprint(url)); before&(spool.Queued|spool.Known) == 0 { // what is known is looked at all the same
			h.partial.Store(true)
		}
		return
	}
	wave := w.wave + 1
	if site.IsFile(url) {
		wave = w.run.waveOfFile(wave)
	} else {
		by.Text = "" // only a file's title may be that of its link
	}
	before := w.run.frontier.Add(frontier.Key{Wave: wave, Host: h.index}, url, flags)
	if before&spool.Queued == 0 {
		w.run.opts.Progress.Found.Add(1)
	}
	w.run.notes.Add(w.wave, url, before, by)
}

// tooDeep reports whether max_depth keeps the worker from where its page leads. A
// page whose depth is not known leads to its redirect's target and no further.
func (w *worker) tooDeep(flags uint16) bool {
	if w.run.opts.MaxDepth > 0 && w.wave < frontier.KnownWave {
		return depth(w.wave) >= w.run.opts.MaxDepth
	}
	return w.run.opts.MaxDepth > 0 && flags&spool.Linked != 0
}
