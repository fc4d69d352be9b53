package crawl

import (
	"sitesync/crawl/page"
	"sitesync/internal/document"
)

// readFile reads a file for its links, where they are to be followed, and leaves what
// is in it in the page. A file that can't be read leads nowhere, and keeps no hints:
// the next run is to read it for real. Why it can't be read is left in the page too.
func (c *Crawler) readFile(p *document.Page, links *page.Links) {
	if c.opts.ReadFile == nil {
		return
	}
	file, err := c.opts.ReadFile(p)
	if err != nil {
		p.Hints, p.FileFault = document.Hints{}, err
		return
	}
	p.File = file
	found := page.FileLinks(file.Links, p.URL, c.canon)
	links.Found, links.Refused = found.Found, found.Refused
}

// depth returns how many links lead from a start page or a sitemap to what a wave of
// pages or files asks.
func depth(wave int) int { return wave % fileWave }

// waveOfFile returns the wave in which a file is asked that a page leads to, where a
// page would be asked in the given one: behind all pages, and as deep where that
// counts.
func (r *run) waveOfFile(wave int) int {
	switch {
	case wave >= fileWave:
		return wave
	case r.opts.MaxDepth > 0:
		return fileWave + wave
	}
	return fileWave
}

// prepareFiles opens the queues of the files that pages of the wave before lead to.
func (r *run) prepareFiles(wave int) error {
	if r.opts.MaxDepth == 0 || wave >= fileWave {
		return nil
	}
	r.files = r.waveOfFile(wave)
	return r.frontier.prepare(r.files, len(r.order))
}
