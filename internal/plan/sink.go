package plan

import (
	"context"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

// sink reads each page of the crawl and spools what was seen of it.
type sink struct {
	*Planner
}

// Page takes one page. It is called from many goroutines.
func (s *sink) Page(ctx context.Context, p *document.Page) error {
	sighting := document.Sighting{
		URL: p.URL, Seen: p.Seen, Status: p.Status, Why: p.Why, Target: p.Target, Canonical: p.Canonical,
		Claim: p.Claim, Hints: p.Hints, InSitemap: p.InSitemap, First: p.First, Interstitial: p.Interstitial,
	}
	if p.Seen == document.Kept && p.Hints == p.Known.Hints {
		s.work.Table.Mark(spool.Fingerprint(p.URL), spool.Kept)
		s.work.AddKept(p.URL)
		return s.work.FlushFull()
	}
	if p.Seen == document.Read {
		if err := s.read(ctx, p, &sighting); err != nil {
			return err
		}
	}
	if _, err := s.work.AddSighting(sighting); err != nil {
		return err
	}
	return s.work.FlushFull()
}

// read extracts the page, and spools its draft unless the finished document is
// the very one that the index holds, and nothing is to be learned from it.
func (s *sink) read(ctx context.Context, p *document.Page, sighting *document.Sighting) error {
	frozen := *p
	frozen.Hints.Lastmod = p.First.Lastmod // a document's date does not move with its sitemap
	draft, err := s.stages.Read(&frozen)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // the end of the run is no fault of the page
	}
	if err != nil {
		sighting.Seen, sighting.Why = document.Unread, err.Error()
		return nil
	}
	sighting.Fetched, sighting.Rules = true, s.stages.Rules(p.URL, s.profile)
	held, whole := s.stages.Held(draft, p.URL, s.profile)
	sighting.Held = held
	sighting.File, sighting.Alternates = draft.Type == document.FileContent, variantsOf(p)
	sighting.Content = s.stages.Sum(p, draft)
	rec, err := s.ledger.Get(p.URL)
	if err != nil {
		return err
	}
	if s.same(draft, rec, sighting) {
		sighting.Same = true
		if whole || s.stages.Learner == nil {
			return nil
		}
	}
	sighting.Draft, err = s.work.AddDraft(p.URL, draft)
	return err
}

// same reports whether the finished document is the very one that the index holds, and
// notes the lengths of its fields.
func (s *sink) same(draft document.Draft, rec *document.Record, sighting *document.Sighting) bool {
	if rec == nil || rec.Push != document.PushOK {
		return false
	}
	doc := s.stages.Finish(draft, sighting.URL, s.profile)
	sighting.Lengths = lengthsOf(doc)
	return rec.Hash() == doc.Hash()
}
