package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/past"
	"sitesync/internal/spool"
)

// minPaired is how many bytes of content a document must have to be known by it: stubs
// are like each other without having moved.
const minPaired = 100

// moves finds out what leads where: which pages redirect to one page, which pages are
// linked through others, and where the very content of a page that is gone stands now.
type moves struct {
	site  *site
	gone  *past.Copies  // contents of documents whose page is gone; nil: no page is gone
	texts *spool.Sorter // those documents (value 0) and the pages that are there (1) by content and URL
}

// see takes in a sighting that leads elsewhere, and one of a document that is gone.
func (m *moves) see(seen *document.Sighting) error {
	s := m.site
	if seen.Target != "" || seen.Canonical != "" || seen.Seen == document.Moved {
		s.leads.Add(seen.URL, 0)
	}
	if s.options.Only || !isGone(seen) && !s.inbound.candidate(seen.URL) || !s.covered(seen.URL) { // of a part of the site alone it is not known what stands elsewhere
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
	m.add(seen.URL, rec.Type, rec.Fields["Content"], 0)
	return nil
}

// keep takes in a page that shows what the index holds of it. One that expires is to go
// itself.
func (m *moves) keep(rec *document.Record) {
	if m.gone != nil && rec != nil && rec.Push == document.PushOK && !m.site.options.Past.Expires(rec.ID, rec.Date) {
		m.add(rec.ID, rec.Type, rec.Fields["Content"], 1)
	}
}

func (m *moves) add(url string, t document.Type, sum document.Hash, there int64) {
	if !sum.IsZero() && m.gone.Of(sum.Short()) > 0 {
		m.texts.Add(spool.GroupKey(string(t)+" "+sum.String(), url), there)
	}
}

// conclude follows what leads elsewhere, and pairs what is gone with what is there.
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

// followLeads follows redirects and canonicals to their ends. It counts the known documents
// that redirect to a page or are folded into it. Where orphans are deleted, it also passes links
// on: if a linked or listed page leads to another, that one is linked too.
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

// count adds one to the value of a URL.
func count(table *spool.Table, url string) {
	fp := spool.Fingerprint(url)
	_, n := table.Get(fp)
	table.SetValue(fp, n+1)
}

// findThere takes in a page that was read or came with new hints, and that is a document
// of its own, or is to be one.
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
	m.add(url, doc.Type, document.HashOf(doc.Fields["Content"]), 1)
	return nil
}

// pair makes the sighting of a page that is gone name the page that has its very content, if only one
// page with it is gone, only one is there, and that is the younger one. Such moves lose nothing,
// however many there are. They are found anew each night, so that a kill or a brake makes no loss.
func (m *moves) pair() error {
	for _, urls := range spool.Grouped(m.texts) {
		var found [2][]string // gone, and there; two of each at most
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
		if !younger || movers > 0 || !m.site.covered(to) { // one ID takes the place of one document
			continue
		}
		seen, err := m.site.sighting(from)
		if err != nil {
			return err
		}
		seen.Target = to
		if !isGone(seen) { // a login that it redirects to may be what refuses it
			seen.Seen = document.Unread
		}
		m.site.replace(seen)
	}
	return nil
}

// compareTitles compares a document with the page that it redirects to: whether that is
// younger and has its title, and what it says. Without kept text the very same content is
// all that can be told to be alike.
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

// younger reports whether the index got a document, or is to get one, after the other
// page was last read in full: two that stood beside each other for long did not move.
// One that the service refused for good takes no other's place.
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
