package plan

import (
	"cmp"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

func (s *site) facts(url string, flags uint16) (f judge.Facts, doc document.Document, err error) {
	f = judge.Facts{
		URL: url, Linked: flags&spool.Linked != 0, Led: flags&foundBy != 0, Alone: s.inbound.alone(url),
		HostFull: s.readWhole(weburl.Origin(url)) && s.survey.NotModified+s.survey.SkippedByHint == 0 &&
			!s.options.Only && !s.folder.Resumed && !s.looksOf(url).Any,
	}
	if flags&spool.Known != 0 {
		f.Record, err = s.ledger.Get(url)
		if err != nil {
			return f, doc, err
		}
	}
	f.Sighting, err = s.sighting(url)
	if err != nil {
		return f, doc, err
	}
	if f.Sighting == nil { // the run stores no sighting (result of a look) of an unchanged page
		f.Sighting = &document.Sighting{URL: url, Seen: document.Kept, Hints: f.Record.Hints}
	}
	// for URLs on other hosts, only the sighting says that a sitemap lists the URL
	f.Sighting.InSitemap = f.Sighting.InSitemap || flags&spool.InSitemap != 0
	f.Target, err = s.target(f.Sighting)
	if err == nil && f.Record != nil && f.Record.Led != 0 {
		f.Unled, err = s.inbound.leadsNoMore(f.Record.First.From, url)
	}
	if err != nil {
		return f, doc, err
	}
	f.Lied = s.checkHints(&f)
	if f.Sighting.Draft != 0 && !s.compared(f.Sighting) {
		doc, err = s.makeDocument(&f)
		if err != nil || f.Sighting.Seen == document.Unread {
			f.Target = judge.Target{}
			return f, doc, err
		}
	}
	if f.Record.Acknowledged() {
		called := f.Sighting.Seen == document.Kept || s.past.CalledChanged(f.Record, f.Sighting.Hints.Lastmod)
		f.Asked = !called || f.Sighting.Claim&document.ClaimValidator != 0
		f.Shared, f.Doubled = s.past.Shared(f.Record), s.contents.Of(f.Sighting.Content.Short()) > 1
		f.Volatile, f.Ruled = s.options.Volatile.Find(url) != "", s.newRules
	}
	f.Rule, f.Expired = s.stages.Expired(url, f.Date())
	return f, doc, nil
}

func (s *site) makeDocument(f *judge.Facts) (document.Document, error) {
	draft, doc, err := s.finish(f.Sighting)
	if err != nil || f.Sighting.Seen == document.Unread {
		return doc, err
	}
	content := doc.Fields["Content"]
	f.Content = &judge.Content{
		Type: doc.Type, Fields: doc.FieldHashes(), Sum: f.Sighting.Content, Length: len(content),
		Date: doc.Fields["Date"], Rules: s.stages.Rules(f.URL, s.profile),
		Warn: draft.Warn, Misread: draft.Misread, Why: draft.Why,
	}
	if f.Record != nil {
		f.Delta = s.stages.Diff(doc.Type, f.Content.Fields, f.Record)
	}
	if !(f.Record.IsDocument() && f.Delta.Same() && f.Record.Print != 0) {
		f.Content.Print = s.prints.Of(f.URL, append(draft.Titles, doc.Fields["Title"]), content)
	}
	f.Sighting.Rules, f.Sighting.Says = f.Content.Rules, document.SaysOf(doc, &draft)
	return doc, nil
}

// checkHints checks the hints (ETag, Last-Modified, lastmod) that called a page unchanged, if this run read
// the page. It counts the result for the host, and returns the wrong hints. If the rules that make documents
// have changed, it compares only the main text. If the new rules may find another main text, it checks no
// hint. checkHints also counts for the host whether a page is still like the canonical URL that it names.
func (s *site) checkHints(f *judge.Facts) (lied document.Claim) {
	seen, rec, claim, at := f.Sighting, f.Record, f.Sighting.Claim, weburl.Origin(f.URL)
	memory := s.memories[at]
	if seen.Seen == document.Read && rec != nil && judge.NamesTarget(rec) && f.Target.State != judge.TargetUnread {
		memory.Folds = judge.Observe(memory.Folds, f.Target.State != judge.TargetLive || !f.Target.Alike)
		s.memories[at] = memory
	}
	if !seen.Fetched || claim == 0 || rec == nil || rec.Push != document.PushOK {
		return 0
	}
	if judge.DayOpen(rec.Hints.Lastmod, rec.Fetched) { // the page was read before the lastmod day had ended
		claim &^= document.ClaimLastmod
	}
	same := seen.Same
	if rec.Rules != seen.Rules {
		if judge.TextRulesDiffer(s.options.RulesBefore, s.options.RulesNow) {
			return 0
		}
		same = rec.Content == seen.Content
	}
	if claim&document.ClaimValidator != 0 {
		memory.Validators = judge.Observe(memory.Validators, !same)
		if !same {
			s.liars[at] = cmp.Or(s.liars[at], f.URL)
		}
	}
	if claim&document.ClaimLastmod != 0 {
		memory.Lastmod = judge.Observe(memory.Lastmod, !same)
	}
	s.memories[at] = memory
	if same {
		return 0
	}
	return claim
}
