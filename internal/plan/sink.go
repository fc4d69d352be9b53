package plan

import (
	"context"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/plan/tally"
	"sitesync/internal/spool"
)

type sink struct {
	pages
	options *Options
}

// Page reads one page, and stores its sighting (what this run found). It is safe for concurrent use.
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
	// the page looks like the host's not-found page, but shows the indexed text
	if p.Seen == document.Missing && rec != nil && rec.Print.Near(text) {
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
		if err := s.extract(p, rec, &sighting); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			sighting = unread(sighting, err)
		}
	case p.Seen == document.NoIndex && rec != nil:
		sighting.Collapsed = judge.Collapsed(len(content), rec)
	case p.Seen == document.Unread: // only the hash is stored, because the text may be incomplete
		sighting.Print = text
	}
	s.folder.AddSighting(sighting)
	return s.folder.FlushFull()
}

// shown returns the content of a page that will not be sent, and its similarity hash; zero if reading fails.
func (s *sink) shown(p *document.Page) (content string, text document.Print) {
	draft, err := s.stages.Read(p)
	if err != nil {
		return "", 0
	}
	doc := s.stages.Finish(draft, p.URL, s.profile)
	content = doc.Fields["Content"]
	return content, new(tally.Printer).Of(p.URL, append(draft.Titles, doc.Fields["Title"]), content)
}

// extract reads the page into a draft: the document that still has the profile (text that the site's pages
// share). It stores the draft if the document is new or changed, or if the page can change the profile.
func (s *sink) extract(p *document.Page, rec *document.Record, sighting *document.Sighting) error {
	frozen := *p
	frozen.Hints.Lastmod = p.First.Lastmod // the sitemap must not change a document's date after its first push
	draft, err := s.stages.Read(&frozen)
	if err != nil {
		return err
	}
	held, whole := s.stages.Held(draft, p.URL, s.profile)
	sighting.Fetched, sighting.Rules, sighting.Held = true, s.stages.Rules(p.URL, s.profile), held
	sighting.File, sighting.Content = draft.Type == document.FileContent, s.stages.Sum(p, draft)
	key := variantKey(p.URL, false, document.Hash{})
	for _, url := range p.Alternates {
		if variantKey(url, false, document.Hash{}) == key {
			sighting.Alternates = append(sighting.Alternates, url)
		}
	}
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

func unread(seen document.Sighting, why error) document.Sighting {
	seen.Seen, seen.Why = document.Unread, strings.TrimPrefix(why.Error(), "extract "+seen.URL+": ")
	seen.Draft, seen.Content, seen.Canonical, seen.Same, seen.Fetched = 0, document.Hash{}, "", false, false
	return seen
}
