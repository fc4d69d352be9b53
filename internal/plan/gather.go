package plan

import (
	"cmp"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
)

// gather looks at every sighting and every record once, and concludes from all of them
// what judging one page must know: the profile, near duplicates, redirects, links and
// moves. It returns what is to be judged.
func (s *site) gather(bulk *judge.Bulk) (*agenda, error) {
	own := spool.NewScratch(s.folder.Dir)
	defer own.Close()
	g := gathering{
		site: s, bulk: bulk, learning: &learning{site: s}, agenda: &agenda{entries: spool.NewSpill[agendaEntry](s.scratch, "agenda")},
		duplicates: &nearDuplicates{site: s, byKey: own.Sorter()},
		moves:      &moves{site: s, texts: own.Sorter()},
	}
	if s.stages.Learner != nil {
		g.learning.learner = s.stages.Learner(s.profile)
	}
	if err := g.sightings(); err != nil {
		return nil, err
	}
	g.learning.keeps = g.learning.learner != nil && g.learning.learner.Doubtful()
	if err := g.join(); err != nil {
		return nil, err
	}
	for _, conclude := range []func() error{g.learning.conclude, g.duplicates.conclude, s.inbound.conclude, g.moves.conclude} {
		if err := conclude(); err != nil {
			return nil, err
		}
	}
	return g.agenda, cmp.Or(own.Err(), s.scratch.Err())
}

// gathering shows each sighting and each record to whatever needs totals.
type gathering struct {
	site       *site
	learning   *learning
	duplicates *nearDuplicates
	moves      *moves
	bulk       *judge.Bulk
	agenda     *agenda
}

// sightings visits what the crawl saw, as it was spooled, and makes it accessible by URL.
func (g *gathering) sightings() error {
	s := g.site
	s.table.ClearValues()
	for entry, err := range s.log.Sightings() {
		if err != nil {
			return err
		}
		if entry.URL == "" {
			continue
		}
		seen := &entry.Sighting
		_, before := s.table.Get(entry.Fingerprint)
		s.table.SetValue(entry.Fingerprint, uint64(entry.At)+1)
		if before != 0 {
			continue
		}
		if seen.Refusal != document.RefusedNot || seen.Seen == document.Unread {
			s.looksOf(seen.URL).Any = true
		}
		s.texts.Add(seen.Content.Short())
		kept := int64(0)
		if seen.Seen == document.Kept {
			kept = 1
		}
		s.seen.Add(seen.URL, kept)
		g.learning.see(seen)
		g.duplicates.see(seen)
		s.inbound.see(seen)
		if err := g.moves.see(seen); err != nil {
			return err
		}
	}
	if err := g.recall(); err != nil {
		return err
	}
	return s.folder.Group.Flush()
}

// recall counts what earlier runs left out and nothing was seen of tonight. What the page that
// led there no longer names is forgotten.
func (g *gathering) recall() error {
	s := g.site
	if s.options.LeftOut == nil || s.options.Only {
		return nil
	}
	for page, damage := range s.options.LeftOut {
		flags, at := s.table.Get(spool.Fingerprint(page.URL))
		if damage != nil || at != 0 || flags&(spool.Queued|spool.Sighted|spool.Known) != 0 {
			continue
		}
		from, err := s.sighting(page.From)
		if err != nil {
			return err
		}
		silent := from == nil && page.From != "" || from != nil && s.inbound.silent(from)
		if !silent && s.survey.Complete && !s.folder.Resumed {
			s.replace(&document.Sighting{URL: page.URL})
			s.seen.Add(page.URL, 0)
		} else {
			g.agenda.leftOut++
		}
	}
	return nil
}

// join merges the ledger's records with the URLs that have a sighting, both in the order
// of URLs, and puts on the agenda what is to be judged.
func (g *gathering) join() error {
	next, stop := iter.Pull(g.site.seen.All())
	defer stop()
	seen, more := next()
	err := g.site.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		for ; more && seen.Key < id; seen, more = next() {
			g.unknown(seen.Key)
		}
		both := more && seen.Key == id
		kept := both && seen.Value == 1
		if both {
			seen, more = next()
		}
		return g.record(id, decode, both, kept)
	})
	for ; err == nil && more; seen, more = next() {
		g.unknown(seen.Key)
	}
	return err
}

// record shows one record of the ledger to whatever gathers what did not change. seen says
// that its URL has a sighting on disk, kept that this is of a page that did not change.
func (g *gathering) record(id string, decode func(brief bool) (*document.Record, error), seen, kept bool) error {
	flags, _ := g.site.table.Get(spool.Fingerprint(id))
	unchanged := !seen && flags&spool.Kept != 0 // and nothing was spooled of it
	if g.learning.keeps && (kept || unchanged) {
		g.learning.learner.Keep(id)
	}
	g.site.countLooked(id, flags)
	listed, wasListed := flags&spool.InSitemap != 0, flags&spool.Listed != 0
	judged := seen || unchanged && (flags&spool.Quiet == 0 || listed != wasListed)
	pairs := g.moves.gone != nil // its content may be that of a page that is gone
	if unchanged && (g.duplicates.read != nil || pairs) || !judged && g.bulk.Possible() {
		rec, err := decode(!pairs && !g.bulk.Possible())
		if err != nil {
			return err
		}
		if !judged && rec.IsDocument() {
			g.bulk.Lives(rec)
		}
		if unchanged {
			g.duplicates.keep(rec)
			g.moves.keep(rec)
		}
	}
	if judged {
		g.agenda.add(id)
		return nil
	}
	switch {
	case unchanged && flags&spool.Document != 0:
		g.agenda.unchanged++
	case unchanged:
		g.agenda.leftOut++
	}
	if flags&spool.Acknowledged != 0 {
		a, folder := g.agenda, id[:tally.DeepestFolder(id)]
		if a.passed.Passed == 0 || folder != a.folder {
			a.flush()
			a.passed, a.folder = agendaEntry{URL: id}, folder
		}
		a.passed.Passed++
		if unchanged && flags&spool.Unasked == 0 {
			a.passed.Asked++
		}
	}
	return nil
}

// unknown puts a URL on the agenda of which the ledger has no record.
func (g *gathering) unknown(url string) {
	flags, _ := g.site.table.Get(spool.Fingerprint(url))
	g.site.countLooked(url, flags)
	g.agenda.add(url)
}

// countLooked counts, for its host, a URL that was looked at.
func (s *site) countLooked(url string, flags uint16) {
	if flags&spool.Sighted == 0 {
		return
	}
	found := s.looksOf(url)
	found.Looked++
	if flags&spool.Document != 0 {
		found.Documents++
	}
}

// agenda is what is to be judged, on disk in the order of URLs. Between the entries it
// says how many documents stay as they are, and in which folder.
type agenda struct {
	entries *spool.Spill[agendaEntry]
	passed  agendaEntry // that is not written yet; Passed 0: none
	folder  string      // of those

	unchanged int // documents that need no judging
	leftOut   int // URLs of which no document is made, that need none either
}

type agendaEntry struct {
	URL    string `json:"u"`
	Passed int    `json:"p,omitempty"` // nothing to judge: so many documents in the folder of URL
	Asked  int    `json:"q,omitempty"` // of those, asked for
}

func (a *agenda) add(url string) {
	a.flush()
	a.entries.Add(agendaEntry{URL: url}, nil)
}

func (a *agenda) flush() {
	if a.passed.Passed > 0 {
		a.entries.Add(a.passed, nil)
		a.passed = agendaEntry{}
	}
}
