package crawl

import (
	"fmt"
	"iter"
	"path/filepath"

	"sitesync/crawl/frontier"
	"sitesync/crawl/trap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// openTraps prepares the counting of traps. A folder has none: it has an end. A
// resumed run counts anew from the queues on disk.
func (r *run) openTraps() error {
	if r.crawler.folder != nil {
		return nil
	}
	log, err := spool.OpenLog(filepath.Join(r.opts.Work, "bodies.log"))
	if err != nil {
		return err
	}
	r.opts.Group.Add(log, true)
	r.bodyLog, r.traps = log, trap.New(r.crawler.trapLimits, log)
	return nil
}

// countable yields what the traps count in a wave: neither start URLs nor what a sitemap
// lists.
func (r *run) countable(wave int) iter.Seq[trap.URL] {
	return func(yield func(trap.URL) bool) {
		for _, h := range r.crawler.order {
			for url := range r.frontier.URLs(frontier.Key{Wave: wave, Host: h.index}) {
				fp := spool.Fingerprint(url)
				flags, _ := r.opts.Table.Get(fp)
				countedBefore := frontier.IsSecond(wave) && flags&spool.Queued != 0
				if flags&(spool.Start|spool.InSitemap) != 0 || countedBefore {
					continue
				}
				u := trap.URL{
					URL: url, Host: h.index, FP: fp, Known: flags&(spool.Known|spool.Seeded) != 0,
					Asked: flags&spool.Sighted != 0, Out: flags&spool.Capped != 0,
				}
				if !yield(u) {
					return
				}
			}
		}
	}
}

// leaveOut marks a URL as a trap, unless robots.txt forbids it anyway: then there is
// nothing to report.
func (r *run) leaveOut(u trap.URL) bool {
	if rules := r.crawler.order[u.Host].robots; rules != nil {
		if ok, _ := rules.Allowed(weburl.Target(u.URL)); !ok {
			return false
		}
	}
	r.opts.Table.Mark(u.FP, spool.Capped)
	return true
}

// reportTraps returns the caps in order and warns of each.
func (r *run) reportTraps() []document.Cap {
	if r.traps == nil {
		return nil
	}
	caps, cut := r.traps.Caps()
	for _, c := range caps {
		r.warnings.Add("trap", c.Example, fmt.Sprintf("%s; a sitemap that lists them has them asked all the same, site.exclude = ['re:%s'] leaves out the others too",
			c.Why, c.Pattern))
	}
	for _, origin := range cut {
		r.crawler.hosts[origin].partial.Store(true)
	}
	return caps
}
