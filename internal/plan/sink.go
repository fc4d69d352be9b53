package plan

import (
	"context"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
)

// sink reads each page of the crawl and spools what was seen of it.
type sink struct {
	pages
	options *Options
}

// Page takes one page. It is called from many goroutines.
func (s *sink) Page(ctx context.Context, p *document.Page) error {
	if p.Seen == document.Kept && p.Hints == p.Known.Hints {
		s.folder.Table.Mark(spool.Fingerprint(p.URL), spool.Kept)
		s.folder.AddKept(p.URL)
		return s.folder.FlushFull()
	}
	shows := p.Root != nil && p.Known.Document &&
		(p.Seen == document.Missing || p.Seen == document.NoIndex || p.Seen == document.Unread)
	var rec *document.Record
	if shows || p.Seen == document.Read {
		var err error
		rec, err = s.ledger.Get(p.URL)
		if err != nil {
			return err
		}
	}
	content, text := "", document.Print(0)
	if shows && rec != nil {
		content, text = s.shown(p)
	}
	if p.Seen == document.Missing && rec != nil && rec.Print.Near(text) { // the index holds that very text of it
		read := *p
		read.Seen, read.Interstitial, read.Why = document.Read, "", ""
		p = &read
	}
	sighting := document.Sighting{
		URL: p.URL, Seen: p.Seen, Status: p.Status, Why: p.Why, Target: p.Target, Canonical: p.Canonical,
		Claim: p.Claim, Hints: p.Hints, InSitemap: p.InSitemap, First: p.First, Interstitial: p.Interstitial,
		Ended: p.Ended, Refusal: p.Refusal, Stood: p.Stood, Links: document.PackLinks(p.Links),
	}
	switch {
	case p.Seen == document.Read:
		if err := s.extract(p, rec, &sighting); err != nil { // what fails on the page makes it unread
			if ctx.Err() != nil { // but the end of the run is no fault of the page
				return ctx.Err()
			}
			sighting = unread(sighting, err)
		}
	case p.Seen == document.NoIndex && rec != nil:
		sighting.Collapsed = judge.Collapsed(len(content), rec)
	case p.Seen == document.Unread: // it may break off
		sighting.Print = text
	}
	s.folder.AddSighting(sighting)
	return s.folder.FlushFull()
}

// shown returns the content of a page whose text is not to be sent, and its Print. A page without
// any text has none.
func (s *sink) shown(p *document.Page) (content string, text document.Print) {
	draft, err := s.stages.Read(p)
	if err != nil {
		return "", 0
	}
	doc := s.stages.Finish(draft, p.URL, s.profile)
	content = doc.Fields["Content"]
	return content, new(tally.Printer).Of(p.URL, append(draft.Titles, doc.Fields["Title"]), content)
}

// extract reads the page, and spools its draft unless the finished document is the very one
// that the index holds, and nothing is to be learned from it.
func (s *sink) extract(p *document.Page, rec *document.Record, sighting *document.Sighting) error {
	frozen := *p
	frozen.Hints.Lastmod = p.First.Lastmod // a document's date does not move with its sitemap
	draft, err := s.stages.Read(&frozen)
	if err != nil {
		return err
	}
	held, whole := s.stages.Held(draft, p.URL, s.profile)
	sighting.Fetched, sighting.Rules, sighting.Held = true, s.stages.Rules(p.URL, s.profile), held
	sighting.File, sighting.Alternates = draft.Type == document.FileContent, slices.DeleteFunc(slices.Clone(p.Alternates), func(url string) bool {
		return variantKey(url, false, document.Hash{}) != variantKey(p.URL, false, document.Hash{}) // it would not be taken for a variant of the page's own
	})
	sighting.Content = s.stages.Sum(p, draft)
	var doc document.Document
	if rec != nil && rec.Push == document.PushOK {
		doc = s.stages.Finish(draft, p.URL, s.profile)
		sighting.Same = rec.Hash() == doc.Hash()
		if !sighting.Same {
			delta := s.stages.Diff(doc.Type, doc.FieldHashes(), rec)
			sighting.Own = judge.OwnChange(sighting, rec, delta, s.options.RulesBefore, s.options.RulesNow)
		}
	}
	if sighting.Same {
		sighting.Says = document.SaysOf(doc, &draft)
	}
	if sighting.Same && (whole || s.stages.Learner == nil) {
		return nil
	}
	sighting.Draft = s.folder.AddDraft(draft)
	return nil
}

// unread returns a sighting as if the page had not been read.
func unread(seen document.Sighting, why error) document.Sighting {
	seen.Seen, seen.Why = document.Unread, strings.TrimPrefix(why.Error(), "extract "+seen.URL+": ") // who tells of it names the page
	seen.Draft, seen.Content, seen.Canonical, seen.Same, seen.Fetched = 0, document.Hash{}, "", false, false
	return seen
}
