package plan

import (
	"encoding/binary"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// inbound finds documents whose page the web server refuses, and to which no link and no sitemap leads. If
// this run did not read a page, inbound uses the links that earlier runs stored for the page.
type inbound struct {
	site        *site
	refused     *spool.Table // documents whose page is refused, with no link or sitemap entry in this run
	any         bool
	silentPages int
	linksKnown  bool
}

const foundBy = spool.Linked | spool.InSitemap | spool.Start

func (l *inbound) see(seen *document.Sighting) {
	if l.silent(seen) {
		l.silentPages++
	}
	fp := spool.Fingerprint(seen.URL)
	flags, _ := l.site.table.Get(fp)
	if seen.Refusal == document.RefusedNot || flags&spool.Document == 0 || flags&foundBy != 0 {
		return
	}
	l.any = true
	l.refused.Mark(fp, spool.Queued)
}

// silent reports whether this run did not read a page that may have had links when it was last read. A page
// that redirects temporarily, or was refused for long (Stood), is silent only if the index has its document.
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

func (l *inbound) conclude() error {
	s := l.site
	if !l.any || s.options.Facts == nil || !s.options.Links || s.options.Only || s.folder.Resumed || s.missed() {
		return nil
	}
	found := 0
	for page, err := range s.options.Facts {
		if err != nil { // without all stored links, l.linksKnown stays false
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
		if !silent || !read || len(page.Links) >= 8*document.MaxLinks { // with that many links, some were not stored
			continue
		}
		rec, err := s.ledger.Brief(page.URL)
		if err != nil {
			return err
		}
		if rec != nil && page.Looked < rec.Fetched { // the stored links are older than the last reading
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
	l.linksKnown = found == l.silentPages+s.table.Count(spool.Kept)
	return nil
}

func (l *inbound) candidate(url string) bool {
	flags, _ := l.refused.Get(spool.Fingerprint(url))
	return flags != 0
}

// alone reports whether the page of a document is refused, and certainly no link and no sitemap leads to it.
func (l *inbound) alone(url string) bool {
	flags, _ := l.site.table.Get(spool.Fingerprint(url))
	return l.linksKnown && l.candidate(url) && flags&foundBy == 0 && l.site.readWhole(weburl.Origin(url))
}

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

// missed reports whether a host looks broken or was not fully crawled. It ignores options.FileOrigins.
func (s *site) missed() bool {
	return slices.ContainsFunc(s.survey.Hosts, func(h document.Host) bool {
		return !slices.Contains(s.options.FileOrigins, h.Host) && (!h.Covered || h.State == document.HostIll)
	})
}
