package plan

import (
	"encoding/binary"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// inbound finds refused documents to which no page and no sitemap leads. It uses the links of each page as
// last read: for pages that were not read in this run, those in the file of package pages.
type inbound struct {
	site    *site
	refused *spool.Table // refused documents to which no page read in this run leads
	any     bool         // refused has at least one entry
	unread  int          // number of pages that were not read in this run and may have links
	known   bool         // the links of all these pages are known
}

// foundBy are the flags of a URL to which something leads.
const foundBy = spool.Linked | spool.InSitemap | spool.Start

func (l *inbound) see(seen *document.Sighting) {
	if l.silent(seen) {
		l.unread++
	}
	fp := spool.Fingerprint(seen.URL)
	flags, _ := l.site.table.Get(fp)
	if seen.Refusal == document.RefusedNot || flags&spool.Document == 0 || flags&foundBy != 0 {
		return
	}
	l.any = true
	l.refused.Mark(fp, spool.Queued)
}

// silent reports whether a page was not read in this run but may have links, as last read. Redirects have
// none, nor have pages that were refused for long and never made a document.
func (l *inbound) silent(seen *document.Sighting) bool {
	flags, _ := l.site.table.Get(spool.Fingerprint(seen.URL))
	isDocument := flags&spool.Document != 0
	switch seen.Seen {
	case document.Kept:
		return true
	case document.Unread:
		return isDocument || !seen.Stood
	}
	return seen.Seen == document.Elsewhere && isDocument
}

// conclude marks the refused URLs that pages not read in this run link to.
func (l *inbound) conclude() error {
	s := l.site
	if !l.any || s.options.Facts == nil || !s.options.Links || s.options.Only || s.folder.Resumed || s.missed() {
		return nil
	}
	found := 0
	for page, err := range s.options.Facts {
		// the remaining links are unknown
		if err != nil {
			return nil
		}
		seen, err := s.sighting(page.URL)
		if err != nil {
			return err
		}
		flags, _ := s.table.Get(spool.Fingerprint(page.URL))
		silent := seen == nil && flags&spool.Kept != 0 || seen != nil && l.silent(seen)
		read := page.Type != "" || len(page.Links) > 0 ||
			page.Seen != document.Unread && page.Seen != document.Elsewhere
		if !silent || !read || len(page.Links) >= 8*document.MaxLinks { // the page has more links than are known
			continue
		}
		rec, err := s.ledger.Brief(page.URL)
		if err != nil {
			return err
		}
		if rec != nil && page.Looked < rec.Fetched { // the links of the last reading are not stored
			return nil
		}
		found++
		for links := page.Links; len(links) >= 8; links = links[8:] {
			to := binary.BigEndian.Uint64(links)
			if was, _ := l.refused.Get(to); was != 0 && to != spool.Fingerprint(page.URL) {
				s.table.Mark(to, spool.Linked)
			}
		}
	}
	l.known = found == l.unread+s.table.Count(spool.Kept)
	return nil
}

func (l *inbound) candidate(url string) bool {
	flags, _ := l.refused.Get(spool.Fingerprint(url))
	return flags != 0
}

// alone reports whether a refused document was certainly reached by no link and no sitemap.
func (l *inbound) alone(url string) bool {
	flags, _ := l.site.table.Get(spool.Fingerprint(url))
	return l.known && l.candidate(url) && flags&foundBy == 0 && l.site.readWhole(weburl.Origin(url))
}

// leadsNoMore reports whether the page was read in this run and has no link, redirect or canonical to url.
func (l *inbound) leadsNoMore(page, url string) (bool, error) {
	seen, err := l.site.sighting(page)
	if err != nil || seen == nil || l.silent(seen) || len(seen.Links) >= 8*document.MaxLinks {
		return false, err
	}
	for link := range slices.Chunk(seen.Links, 8) {
		if binary.BigEndian.Uint64(link) == spool.Fingerprint(url) {
			return false, nil
		}
	}
	return seen.Target != url && seen.Canonical != url, nil
}

// missed reports whether some host of the site was not covered, or is ill. Hosts of files do not count.
func (s *site) missed() bool {
	return slices.ContainsFunc(s.survey.Hosts, func(h document.Host) bool {
		return !slices.Contains(s.options.FileOrigins, h.Host) && (!h.Covered || h.State == document.HostIll)
	})
}
