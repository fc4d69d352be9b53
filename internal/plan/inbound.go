package plan

import (
	"encoding/binary"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// inbound finds out which documents whose page is refused nothing leads to: no sitemap and no
// page, as each was when it was read last. Of pages that were not read tonight the facts say
// what they linked to.
type inbound struct {
	site    *site
	refused *spool.Table // documents whose page is refused, and to which nothing read tonight leads
	any     bool         // there is one
	unread  int          // pages that were not read tonight, and whose links count
	known   bool         // all of those links are known
}

// foundBy are the flags of a URL to which something leads.
const foundBy = spool.Linked | spool.InSitemap | spool.Start

// see takes in a sighting.
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

// silent reports whether a page was not read tonight, so that its links are those of its last
// reading. A redirect, and what is refused for long and was never a document, have none.
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

// conclude compares the links of the pages that were not read tonight with the addresses that
// are refused.
func (l *inbound) conclude() error {
	s := l.site
	if !l.any || s.options.Facts == nil || !s.options.Links || s.options.Only || s.folder.Resumed || s.missed() {
		return nil
	}
	found := 0
	for page, err := range s.options.Facts {
		if err != nil { // the rest is not known
			return nil
		}
		seen, err := s.sighting(page.URL)
		if err != nil {
			return err
		}
		flags, _ := s.table.Get(spool.Fingerprint(page.URL))
		silent := seen == nil && flags&spool.Kept != 0 || seen != nil && l.silent(seen)
		read := page.Type != "" || len(page.Links) > 0 || page.Seen != document.Unread && page.Seen != document.Elsewhere
		if !silent || !read || len(page.Links) >= 8*document.MaxLinks { // not all links of the page are known
			continue
		}
		rec, err := s.ledger.Brief(page.URL)
		if err != nil {
			return err
		}
		if rec != nil && page.Looked < rec.Fetched { // a later reading left no facts
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

// candidate reports whether a document's page is refused, and nothing that was read tonight
// leads to it.
func (l *inbound) candidate(url string) bool {
	flags, _ := l.refused.Get(spool.Fingerprint(url))
	return flags != 0
}

// alone reports whether nothing leads to such a page at all.
func (l *inbound) alone(url string) bool {
	flags, _ := l.site.table.Get(spool.Fingerprint(url))
	return l.known && l.candidate(url) && flags&foundBy == 0 && l.site.readWhole(weburl.Origin(url))
}

// leadsNoMore reports whether a page was looked at tonight, and neither links nor leads to url.
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

// missed reports whether a host of pages was not looked at as a whole.
func (s *site) missed() bool {
	return slices.ContainsFunc(s.survey.Hosts, func(h document.Host) bool {
		return !slices.Contains(s.options.FileOrigins, h.Host) && (!h.Covered || h.State == document.HostIll)
	})
}
