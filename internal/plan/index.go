package plan

import (
	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
)

// sightings is what the crawl saw, in the order of URLs and by URL.
type sightings struct {
	*Planner
	sorted *spool.Sorter
	moves  *spool.Table                    // how many documents redirect to a URL
	walls  map[string]*judge.Interstitials // by origin: what stood in place of pages

	equalTexts []document.Warning // the first of them
	moreEqual  int                // how many there are beside
}

// index makes the sightings accessible by URL: from here on the value of a URL in
// the run's table is where its sighting stands, plus 1.
func (p *Planner) index() (*sightings, error) {
	s := &sightings{Planner: p, sorted: spool.NewSorter(p.work.Dir), moves: spool.NewTable(), walls: map[string]*judge.Interstitials{}}
	lost := p.lostContents()
	p.work.Table.ClearValues()
	for seen, err := range p.work.Sightings() {
		if err != nil {
			return nil, err
		}
		if seen.Mini() {
			continue
		}
		at := seen.At
		if lost.holds(&seen.Sighting) {
			if at, err = s.lose(seen.Sighting); err != nil {
				return nil, err
			}
		}
		if seen.Interstitial != "" {
			s.wallsOf(seen.URL).Any = true
		}
		fp := seen.Fingerprint
		_, before := p.work.Table.Get(fp)
		p.work.Table.SetValue(fp, uint64(at)+1)
		if before == 0 {
			if err := s.sorted.Add(seen.URL, 0); err != nil {
				return nil, err
			}
		}
	}
	return s, p.work.Group.Flush()
}

// settle folds what is equal, counts what redirects where, and finds what moved without
// a redirect.
func (s *sightings) settle() error {
	if err := s.foldTwins(); err != nil {
		return err
	}
	if err := s.countMoves(); err != nil {
		return err
	}
	return firstError(s.linkOn(), s.pairMoved())
}

func (s *sightings) close() { _ = s.sorted.Close() }

// replace spools another sighting for a URL, in place of what the crawl saw.
func (s *sightings) replace(seen document.Sighting) error {
	at, err := s.work.AddSighting(seen)
	if err != nil {
		return err
	}
	fp := spool.Fingerprint(seen.URL)
	_, before := s.work.Table.Get(fp)
	s.work.Table.SetValue(fp, uint64(at)+1)
	if before != 0 {
		return nil
	}
	return s.sorted.Add(seen.URL, 0)
}

// of returns the sighting of a URL; nil when nothing but its table entry is known.
func (s *sightings) of(url string) (*document.Sighting, error) {
	_, at := s.work.Table.Get(spool.Fingerprint(url))
	if at == 0 {
		return nil, nil
	}
	return s.work.Sighting(int64(at) - 1)
}

// node tells judge.Resolve what is known of a URL.
func (s *sightings) node(url string) (judge.Node, error) {
	flags, _ := s.work.Table.Get(spool.Fingerprint(url))
	seen, err := s.of(url)
	switch {
	case err != nil:
		return judge.Node{}, err
	case seen != nil:
		node := judge.Node{Seen: seen.Seen, Status: seen.Status, Target: seen.Target, Canonical: seen.Canonical}
		if node.Canonical != "" && seen.Why != sameContent {
			// What leads to a page with a mistaken canonical ends at that page.
			alike, err := s.alike(url, node.Canonical)
			if !alike {
				node.Canonical = ""
			}
			return node, err
		}
		return node, nil
	case flags&spool.Kept != 0:
		rec, err := s.ledger.Get(url)
		if err != nil || rec == nil {
			return judge.Node{}, err
		}
		return keptNode(rec), nil
	case flags&spool.Queued == 0:
		return judge.Node{Seen: document.OutOfScope}, nil
	}
	return judge.Node{}, nil
}

// keptNode tells what a page is that did not change: what it was.
func keptNode(rec *document.Record) judge.Node {
	node := judge.Node{Seen: document.Kept, Canonical: rec.Canonical}
	if n := len(rec.Looks); !rec.IsDocument() && rec.Canonical == "" && n > 0 {
		node.Seen = rec.Looks[n-1].Seen
	}
	return node
}

// target resolves where a sighting's redirect or canonical ends, or where pairMoved
// found the content of a page that is gone.
func (s *sightings) target(seen *document.Sighting) (judge.Target, error) {
	first := seen.Canonical
	if seen.Seen == document.Moved || isGone(seen) {
		first = seen.Target
	}
	if first == "" && seen.Seen != document.Moved {
		return judge.Target{}, nil
	}
	target, err := judge.Resolve(seen.URL, first, s.node)
	if err != nil || target.State != judge.TargetLive || isGone(seen) {
		return target, err
	}
	_, movers := s.moves.Get(spool.Fingerprint(target.URL))
	target.Sole = movers == 1
	if target.Sum, err = s.contentOf(target.URL); err != nil {
		return target, err
	}
	target.Alike = seen.Why == sameContent
	if !target.Alike {
		target.Alike, err = s.alike(seen.URL, target.URL)
	}
	return target, err
}

// contentOf returns the hash of the content of a page that is there.
func (s *sightings) contentOf(url string) (document.Hash, error) {
	seen, err := s.of(url)
	if err != nil {
		return document.Hash{}, err
	}
	if seen != nil && seen.Seen == document.Read {
		return seen.Content, nil
	}
	rec, err := s.ledger.Brief(url)
	if err != nil || rec == nil {
		return document.Hash{}, err
	}
	return rec.Content, nil
}

// linkOn passes on to where a page leads that it is linked or listed itself: what a
// redirect or a folded variant stands before is no orphan.
func (s *sightings) linkOn() error {
	if !s.Policy.Orphans {
		return nil
	}
	var failed error
	err := s.each(func(seen *document.Sighting) {
		flags, _ := s.work.Table.Get(spool.Fingerprint(seen.URL))
		if failed != nil || flags&(spool.Linked|spool.InSitemap|spool.Start) == 0 {
			return
		}
		var target judge.Target
		switch target, failed = s.target(seen); {
		case seen.Seen == document.Elsewhere && seen.Target != "":
			target, failed = judge.Resolve(seen.URL, seen.Target, s.node)
		case seen.Seen != document.Moved && !target.Alike:
			return
		}
		if failed == nil && target.State == judge.TargetLive {
			s.work.Table.Mark(spool.Fingerprint(target.URL), spool.Linked)
		}
	})
	return firstError(err, failed)
}

// countMoves counts, for every live target, the documents that redirect to it.
func (s *sightings) countMoves() error {
	for seen, err := range s.work.Sightings() {
		if err != nil {
			return err
		}
		if seen.Seen != document.Moved {
			continue
		}
		rec, err := s.ledger.Get(seen.URL)
		if err != nil {
			return err
		}
		target, err := judge.Resolve(seen.URL, seen.Target, s.node)
		if err != nil {
			return err
		}
		if rec.IsDocument() && target.State == judge.TargetLive {
			fp := spool.Fingerprint(target.URL)
			_, n := s.moves.Get(fp)
			s.moves.SetValue(fp, n+1)
		}
	}
	return nil
}
