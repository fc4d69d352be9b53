package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/past"
	"sitesync/internal/spool"
)

// minPaired is the least length in bytes of a text that identifies a moved document. Short texts repeat by
// chance.
const minPaired = 100

type moves struct {
	site  *site
	gone  *past.Copies  // contents of documents whose page has vanished; may be nil
	texts *spool.Sorter // vanished documents (value 0) and existing pages (value 1) by content
}

func (m *moves) see(seen *document.Sighting) error {
	s := m.site
	if seen.Target != "" || seen.Canonical != "" || seen.Seen == document.Moved {
		s.leads.Add(seen.URL, 0)
	}
	// with --only, a run does not know the other pages of the site
	if s.options.Only || !isGone(seen) && !s.inbound.candidate(seen.URL) || !s.covered(seen.URL) {
		return nil
	}
	rec, err := s.ledger.Get(seen.URL)
	if err != nil || !rec.IsDocument() || rec.Length < minPaired {
		return err
	}
	if m.gone == nil {
		m.gone = &past.Copies{}
	}
	m.gone.Add(rec.Fields["Content"].Short())
	m.addPage(seen.URL, rec.Type, rec.Fields["Content"], 0)
	return nil
}

func (m *moves) keep(rec *document.Record) {
	if m.gone != nil && rec != nil && rec.Push == document.PushOK && !m.site.options.Past.Expires(rec.ID, rec.Date) {
		m.addPage(rec.ID, rec.Type, rec.Fields["Content"], 1)
	}
}

func (m *moves) addPage(url string, t document.Type, sum document.Hash, there int64) {
	if !sum.IsZero() && m.gone.Of(sum.Short()) > 0 {
		m.texts.Add(spool.GroupKey(string(t)+" "+sum.String(), url), there)
	}
}

func (m *moves) conclude() error {
	if err := m.followLeads(); err != nil {
		return err
	}
	if m.gone == nil {
		return nil
	}
	for item := range m.site.seen.All() {
		if err := m.findThere(item.Key); err != nil {
			return err
		}
	}
	if err := m.pair(); err != nil {
		return err
	}
	return m.site.folder.Group.Flush()
}

// followLeads follows redirects and canonicals to the final page, and counts the documents that lead there.
// If orphans (pages without a link) are deleted, a link to the first URL counts for the final page.
func (m *moves) followLeads() error {
	s := m.site
	for item := range s.leads.All() {
		seen, err := s.sighting(item.Key)
		if err != nil {
			return err
		}
		rec, err := s.ledger.Brief(seen.URL)
		if err != nil {
			return err
		}
		flags, _ := s.table.Get(spool.Fingerprint(seen.URL))
		known, linked := rec.IsDocument(), s.options.Policy.Orphans && flags&foundBy != 0
		redirects := seen.Seen == document.Moved || seen.Seen == document.Elsewhere
		var target judge.Target
		switch {
		case !linked && !known:
		case redirects:
			target, err = judge.Resolve(seen.URL, seen.Target, s.node)
		default:
			target, err = s.target(seen)
		}
		switch {
		case err != nil:
			return err
		case target.State != judge.TargetLive || !redirects && !target.Alike:
			continue
		}
		if linked {
			s.table.Mark(spool.Fingerprint(target.URL), spool.Linked)
		}
		if known {
			count(s.folds, target.URL)
		}
		if known && seen.Seen == document.Moved {
			count(s.movers, target.URL)
		}
	}
	return nil
}

func count(table *spool.Table, url string) {
	fp := spool.Fingerprint(url)
	_, n := table.Get(fp)
	table.SetValue(fp, n+1)
}

func (m *moves) findThere(url string) error {
	s := m.site
	seen, err := s.sighting(url)
	if err != nil || seen.Seen != document.Read && seen.Seen != document.Kept || seen.Canonical != "" {
		return err
	}
	if seen.Draft == 0 || s.compared(seen) {
		rec, err := s.ledger.Get(url)
		if err == nil {
			m.keep(rec)
		}
		return err
	}
	_, doc, err := s.finish(seen)
	if err != nil || seen.Seen == document.Unread || s.options.Past.Expires(url, doc.Fields["Date"]) {
		return err
	}
	m.addPage(url, doc.Type, document.HashOf(doc.Fields["Content"]), 1)
	return nil
}

// pair sets the Target of a vanished page to the existing page that has its content. It does so only if no
// other pages have this content, apart from refused pages to which a link or sitemap may lead, and if the
// existing page is younger.
func (m *moves) pair() error {
	for _, urls := range spool.Grouped(m.texts) {
		var found [2][]string // vanished (0) and existing (1) pages, at most two of each
		for url, there := range urls {
			led := there == 0 && m.site.inbound.candidate(url) && !m.site.inbound.alone(url)
			if !led && len(found[there]) < 2 {
				found[there] = append(found[there], url)
			}
		}
		if len(found[0]) != 1 || len(found[1]) != 1 {
			continue
		}
		from, to := found[0][0], found[1][0]
		younger, err := m.site.younger(from, to)
		if err != nil {
			return err
		}
		_, movers := m.site.movers.Get(spool.Fingerprint(to))
		// a page takes the place of one document only
		if !younger || movers > 0 || !m.site.covered(to) {
			continue
		}
		seen, err := m.site.sighting(from)
		if err != nil {
			return err
		}
		seen.Target = to
		if !isGone(seen) { // a page that redirects to a login, for example, is judged as unread
			seen.Seen = document.Unread
		}
		m.site.replace(seen)
	}
	return nil
}

// compareTitles sets three fields of the target of a redirect from url. Print is the similarity hash of the
// target's text. Alike is also set if both contents have the same hash: the old text at url may not be
// stored. Titled is set if the old page at url had the same title as the target and is older.
func (s *site) compareTitles(url string, target *judge.Target) error {
	old, err := s.ledger.Get(url)
	if err != nil || !old.IsDocument() {
		return err
	}
	doc, titles, err := s.document(target.URL)
	if err != nil {
		return err
	}
	fields := doc.FieldHashes()
	target.Print = s.prints.Of(target.URL, titles, doc.Fields["Content"])
	target.Alike = target.Alike || fields["Content"] == old.Fields["Content"] && doc.Fields["Content"] != ""
	if doc.Fields["Title"] == "" || fields["Title"] != old.Fields["Title"] {
		return nil
	}
	target.Titled, err = s.younger(url, target.URL)
	return err
}

// younger reports whether the document at young was never sent, or first sent after the page at old was last
// read. Otherwise both pages existed at the same time, so neither moved. A parked document (one that the
// service keeps refusing) is not younger, unless this run retries it.
func (s *site) younger(old, young string) (bool, error) {
	was, err := s.ledger.Get(old)
	if err != nil {
		return false, err
	}
	is, err := s.ledger.Get(young)
	if err != nil || is.Parked() && !s.options.Policy.RetryParked {
		return false, err
	}
	return is == nil || len(is.Fields) == 0 || is.Born > was.Fetched, nil
}
