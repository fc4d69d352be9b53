package plan

import (
	"cmp"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
)

// gather reads every sighting (result of this run's look at a URL) and every record of the ledger (what the
// index holds) once. It collects what the judgement of one page needs to know of others: near duplicates,
// redirects, links, moves and the profile (text that pages share). It returns the URLs to judge.
func (s *site) gather(bulk *judge.Bulk) (*agenda, error) {
	own := spool.NewScratch(s.folder.Dir)
	defer own.Close()
	g := gathering{
		site: s, bulk: bulk,
		agenda:     &agenda{entries: spool.NewSpill[agendaEntry](s.scratch, "agenda")},
		duplicates: &nearDuplicates{site: s, byKey: own.Sorter()},
		moves:      &moves{site: s, texts: own.Sorter()},
	}
	if s.stages.Learner != nil {
		g.learner = s.stages.Learner(s.profile)
	}
	if err := g.sightings(); err != nil {
		return nil, err
	}
	g.needsUnchanged = g.learner != nil && g.learner.Doubtful()
	if err := g.join(); err != nil {
		return nil, err
	}
	conclusions := []func() error{g.learn, g.duplicates.conclude, s.inbound.conclude, g.moves.conclude}
	for _, conclude := range conclusions {
		if err := conclude(); err != nil {
			return nil, err
		}
	}
	return g.agenda, cmp.Or(own.Err(), s.scratch.Err())
}

type gathering struct {
	site           *site
	learner        Learner
	needsUnchanged bool
	duplicates     *nearDuplicates
	moves          *moves
	bulk           *judge.Bulk
	agenda         *agenda
}

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
		s.contents.Add(seen.Content.Short())
		kept := int64(0)
		if seen.Seen == document.Kept {
			kept = 1
		}
		s.seen.Add(seen.URL, kept)
		if g.learner != nil && seen.Seen == document.Read {
			g.learner.Offer(seen)
		}
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

// recall counts the URLs that earlier runs left out of the index and that this run did not see. It forgets
// such a URL if this run read the page that linked to it, and the page has no such link any more.
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

func (g *gathering) join() error {
	next, stop := iter.Pull(g.site.seen.All())
	defer stop()
	seen, more := next()
	records := g.site.ledger.Briefs
	if g.moves.gone != nil || g.bulk.Possible() { // moves and bulk need Fields, which Briefs leaves out
		records = g.site.ledger.Records
	}
	for rec, err := range records() {
		if err != nil {
			return err
		}
		for ; more && seen.Key < rec.ID; seen, more = next() {
			g.unknown(seen.Key)
		}
		both := more && seen.Key == rec.ID
		kept := both && seen.Value == 1
		if both {
			seen, more = next()
		}
		g.record(rec, both, kept)
	}
	for ; more; seen, more = next() {
		g.unknown(seen.Key)
	}
	return nil
}

func (g *gathering) record(rec *document.Record, seen, kept bool) {
	id := rec.ID
	flags, _ := g.site.table.Get(spool.Fingerprint(id))
	unchanged := !seen && flags&spool.Kept != 0 // an unchanged page has no sighting on disk
	if g.needsUnchanged && (kept || unchanged) {
		g.learner.Keep(id)
	}
	g.site.countLooked(id, flags)
	listed, wasListed := flags&spool.InSitemap != 0, flags&spool.Listed != 0
	judged := seen || unchanged && (flags&spool.Quiet == 0 || listed != wasListed)
	if unchanged {
		g.duplicates.keep(rec)
		g.moves.keep(rec)
	}
	if judged {
		g.agenda.add(id)
		return
	}
	if rec.IsDocument() {
		g.bulk.Lives(rec)
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
}

func (g *gathering) unknown(url string) {
	flags, _ := g.site.table.Get(spool.Fingerprint(url))
	g.site.countLooked(url, flags)
	g.agenda.add(url)
}

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

// agenda lists the URLs to judge, in order. Its other entries count unchanged documents of a folder.
type agenda struct {
	entries *spool.Spill[agendaEntry]
	passed  agendaEntry // entry that counts unchanged documents, not yet written; empty if Passed is 0
	folder  string

	unchanged int
	leftOut   int
}

type agendaEntry struct {
	URL    string `json:"u"`
	Passed int    `json:"p,omitempty"` // number of unchanged documents in the folder of URL; 0: judge URL
	Asked  int    `json:"q,omitempty"` // number of these documents that were requested
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
