package plan

import (
	"context"
	"errors"
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// item is one URL to be judged: its record, its sighting, or both.
type item struct {
	url    string
	decode func(brief bool) (*document.Record, error) // nil: no record
	seen   bool                                       // there is a sighting on disk
}

// judge judges every URL that the ledger knows or the crawl saw, in the order of
// URLs, and piles up what is due.
func (p *Planner) judge(ctx context.Context, s *sightings) (*verdicts, error) {
	v, err := newVerdicts(p)
	if err != nil {
		return nil, err
	}
	for it, err := range s.join() {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = s.judgeOne(it, v)
		}
		if err != nil {
			v.close()
			return nil, err
		}
	}
	v.byGroup.settle()
	v.turnings.settle(v.totals.Changed)
	if err := errors.Join(v.settleHealth(), v.warnOfTwins(s), v.warnOfRules(), v.warnOfMore()); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

var errStop = errors.New("stop")

// join merges the ledger's records and the crawl's sightings, both in the order
// of URLs.
func (s *sightings) join() iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		next, stop := iter.Pull(s.sorted.All())
		defer stop()
		seen, more := next()
		err := s.ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
			for ; more && seen.Key < id; seen, more = next() {
				if !yield(item{url: seen.Key, seen: true}, nil) {
					return errStop
				}
			}
			both := more && seen.Key == id
			if both {
				seen, more = next()
			}
			if !yield(item{url: id, decode: decode, seen: both}, nil) {
				return errStop
			}
			return nil
		})
		for ; err == nil && more; seen, more = next() {
			if !yield(item{url: seen.Key, seen: true}, nil) {
				return
			}
		}
		if err != nil && !errors.Is(err, errStop) {
			yield(item{}, err)
		}
	}
}

// judgeOne gathers the facts of one URL and has them judged.
func (s *sightings) judgeOne(it item, v *verdicts) error {
	flags, _ := s.work.Table.Get(spool.Fingerprint(it.url))
	listed := flags&spool.InSitemap != 0
	walls := s.wallsOf(it.url)
	if flags&spool.Sighted != 0 {
		walls.Looked++
		if flags&spool.Document != 0 {
			walls.Documents++
		}
	}
	if flags&spool.Acknowledged != 0 {
		v.byGroup.document(it.url)
	}
	if it.decode != nil && !it.seen && (flags&spool.Kept == 0 || flags&spool.Quiet != 0 && listed == (flags&spool.Listed != 0)) {
		if flags&spool.Kept != 0 && flags&spool.Document != 0 {
			v.unchanged++
		}
		return nil
	}
	facts, draft, err := s.facts(it, flags)
	if err != nil {
		return err
	}
	walls.Count(facts.Sighting, facts.Record.IsDocument(), flags&spool.Start != 0)
	s.learn(&facts)
	v.compareSitemap(&facts, listed)
	verdict := judge.Judge(facts, s.Policy)
	v.compareLinks(&facts, &verdict, flags)
	v.health.add(&facts, &verdict)
	if facts.Record.Acknowledged() {
		v.byGroup.judged(&facts, verdict.Change)
	}
	return v.add(&facts, verdict, draft)
}

// readInFull reports whether the run read every page of a host and all its sitemaps:
// only then does it know what nothing leads to.
func (s *sightings) readInFull(h document.Host) bool {
	return h.Covered && !h.Unlisted && h.Unread == 0 && len(s.capped[h.Host]) == 0 &&
		s.survey.NotModified+s.survey.SkippedByHint == 0 && !s.Only && !s.work.Resumed
}

// facts gathers what is known of one URL.
func (s *sightings) facts(it item, flags uint16) (judge.Facts, document.Draft, error) {
	h := s.hosts[weburl.Origin(it.url)]
	f := judge.Facts{
		URL: it.url, Linked: flags&spool.Linked != 0,
		HostFull: s.readInFull(h) && !s.wallsOf(it.url).Any, Followed: s.Links, Mapped: h.Sitemap > 0 && !h.Unlisted && !s.Only,
	}
	var draft document.Draft
	var err error
	if it.decode != nil {
		if f.Record, err = it.decode(false); err != nil {
			return f, draft, err
		}
	}
	if f.Sighting, err = s.sighting(it, f.Record); err != nil {
		return f, draft, err
	}
	if f.Target, err = s.target(f.Sighting); err != nil {
		return f, draft, err
	}
	date := ""
	if f.Record != nil {
		date = f.Record.Date
	}
	if f.Sighting.Draft != 0 && !s.compared(f.Sighting) {
		if draft, err = s.work.Draft(f.Sighting.Draft); err != nil {
			return f, draft, err
		}
		f.Content = s.content(&f, draft)
		f.Sighting.Rules = f.Content.Rules
		date = f.Content.Date
	}
	f.Rule, f.Expired = s.stages.Expired(it.url, date)
	return f, draft, nil
}

func (s *sightings) sighting(it item, rec *document.Record) (*document.Sighting, error) {
	if !it.seen {
		return s.unchanged(rec), nil
	}
	seen, err := s.of(it.url)
	if err != nil {
		return nil, err
	}
	flags, _ := s.work.Table.Get(spool.Fingerprint(it.url))
	seen.InSitemap = flags&spool.InSitemap != 0
	return seen, nil
}

// unchanged returns the sighting of a page that was kept and of which nothing was
// spooled.
func (s *sightings) unchanged(rec *document.Record) *document.Sighting {
	flags, _ := s.work.Table.Get(spool.Fingerprint(rec.ID))
	return &document.Sighting{URL: rec.ID, Seen: document.Kept, Hints: rec.Hints, InSitemap: flags&spool.InSitemap != 0}
}

// content finishes a draft and compares it with the record.
func (s *sightings) content(f *judge.Facts, draft document.Draft) *judge.Content {
	doc := s.stages.Finish(draft, f.URL, s.profile)
	f.Sighting.Lengths = lengthsOf(doc)
	c := &judge.Content{
		Type: doc.Type, Fields: doc.FieldHashes(), Sum: f.Sighting.Content, Length: len(doc.Fields["Content"]),
		Date: doc.Fields["Date"], Rules: s.stages.Rules(f.URL, s.profile), Warn: draft.Warn, NoText: draft.NoText,
	}
	if f.Record != nil {
		f.Delta = s.stages.Diff(c.Type, c.Fields, f.Record)
	}
	return c
}

// learn counts, for the host's trust, whether a hint told the truth about a page
// that was read for real.
func (s *sightings) learn(f *judge.Facts) {
	seen, rec := f.Sighting, f.Record
	if !seen.Fetched || seen.Claim == 0 || rec == nil || rec.Push != document.PushOK || rec.Rules != seen.Rules {
		return
	}
	at := weburl.Origin(f.URL)
	memory := s.memories[at]
	if seen.Claim&document.ClaimValidator != 0 {
		memory.Validators = judge.Observe(memory.Validators, !seen.Same)
	}
	if seen.Claim&document.ClaimLastmod != 0 {
		memory.Lastmod = judge.Observe(memory.Lastmod, !seen.Same)
	}
	s.memories[at] = memory
}
