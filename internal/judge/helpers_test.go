package judge

import (
	"cmp"
	"testing"

	"sitesync/internal/document"
)

// Every row looks at page in run r9, on a document with these marks, unless it
// says otherwise.
const (
	page  = "https://a.example/p"
	other = "https://a.example/q"
	run   = "r9"
	start = 900
	rules = 7
)

// row is what is known of page, and in words what that calls for: see sketch.
type row struct {
	name  string
	facts Facts
	want  string
}

// check judges every row under a policy.
func check(t *testing.T, p Policy, rows []row) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			r.facts.URL = page
			v := Judge(r.facts, tonight(p))
			if got := sketch(v); got != r.want {
				t.Errorf("got  %s\nwant %s", got, r.want)
			}
			for _, fault := range faults(r.facts, v) {
				t.Error(fault)
			}
		})
	}
}

// defaults is the policy of a configuration that says nothing.
func defaults() Policy { return Policy{Confirm: 1, OutOfScope: true} }

// tonight makes p the policy of run r9, in which no recheck is due unless p says so.
func tonight(p Policy) Policy {
	p.Run, p.Start = run, start
	if p.RecheckDue == nil {
		p.RecheckDue = func(string, *document.Record) bool { return false }
	}
	return p
}

func hashes(names ...string) map[string]document.Hash {
	fields := map[string]document.Hash{}
	for _, name := range names {
		fields[name] = document.HashOf(name)
	}
	return fields
}

type recordEdit func(*document.Record)

// acked returns the record of an acknowledged document.
func acked(edits ...recordEdit) *document.Record { return known(document.PushOK, edits...) }

// known returns the record of a document: three fields, 1,000 bytes of content,
// the hint e1.
func known(push document.Push, edits ...recordEdit) *document.Record {
	r := &document.Record{
		ID: page, Type: document.PageContent, Fields: hashes("Title", "Content", "Category"), Length: 1000, Rules: rules,
		Hints: document.Hints{ETag: "e1"}, Fetched: 100, Born: 50, Push: push, Maybe: push == document.PushRefused, Reason: "a reason",
	}
	for _, edit := range edits {
		edit(r)
	}
	return r
}

// plain returns the record of a URL that is no document and was last seen so.
func plain(seen document.Seen, edits ...recordEdit) *document.Record {
	r := &document.Record{ID: page}
	looked(seen)(r)
	for _, edit := range edits {
		edit(r)
	}
	return r
}

func misses(n int) recordEdit  { return func(r *document.Record) { r.Misses = n } }
func strikes(n int) recordEdit { return func(r *document.Record) { r.Strikes = n } }

// since makes a record that of a page that failed already, and whose last night is tonight.
func since(run string) recordEdit {
	return func(r *document.Record) {
		r.Since = run
		if run != "" {
			stood(document.RefusedNot, 1, start)(r)
		}
	}
}

// stood makes a record that of a page that showed something else for so many nights.
func stood(kind document.Refusal, nights int, last int64) recordEdit {
	return func(r *document.Record) {
		r.Standing = document.Standing{Kind: kind, Nights: nights, All: nights, First: 100, Last: last}
	}
}

func hinted(etag string) recordEdit  { return func(r *document.Record) { r.Hints.ETag = etag } }
func foldedInto(u string) recordEdit { return func(r *document.Record) { r.Canonical = u } }
func statusOf(n int) recordEdit      { return func(r *document.Record) { r.Looks[0].Status = n } }
func listed(r *document.Record)      { r.Listed = true }
func repaired(r *document.Record)    { r.Repair = true }
func suspect(r *document.Record)     { suspectAs("lost Category", 1000)(r) }
func suspectElse(r *document.Record) { r.Suspect.How = "another text" }

// suspectAs makes a record that of a page that was seen ill once.
func suspectAs(how string, length int) recordEdit {
	return func(r *document.Record) { r.Suspect = document.Illness{How: how, Length: length} }
}

// neverHeld makes a record that of a document that the index never held.
func neverHeld(r *document.Record) {
	r.Fields, r.Length, r.Hints, r.Maybe = nil, 0, document.Hints{}, false
}

// onceInDoubt makes a refused record that of a new document whose first call may
// have reached the index.
func onceInDoubt(r *document.Record) { neverHeld(r); r.Maybe = true }

// looked appends looks of earlier runs, such as those that look writes.
func looked(all ...document.Seen) recordEdit {
	return func(r *document.Record) {
		for _, seen := range all {
			s := saw(seen)
			r.Looks = append(r.Looks, document.Look{Run: "r1", Seen: seen, Status: s.Status, Why: cmp.Or(s.Why, s.Target)})
		}
	}
}

type sightingEdit func(*document.Sighting)

// saw returns tonight's sighting of page, with the status and the reason that
// crawl gives it.
func saw(seen document.Seen, edits ...sightingEdit) *document.Sighting {
	s := &document.Sighting{URL: page, Seen: seen}
	switch seen {
	case document.Read:
		s.Status, s.Fetched, s.Hints.ETag, s.Rules = 200, true, "e1", rules
	case document.Kept:
		s.Status, s.Hints.ETag = 304, "e1"
	case document.Gone:
		s.Status = 410
	case document.Missing:
		s.Status = 404
	case document.Moved:
		s.Status, s.Target = 301, other
	case document.Elsewhere:
		s.Status, s.Target = 302, other
	case document.NoIndex:
		s.Status, s.Why, s.Hints.ETag = 200, "meta robots noindex", "e1"
	case document.OutOfScope:
		s.Why = "site.exclude /p"
	case document.Disallowed:
		s.Why = "robots.txt: Disallow: /p"
	case document.Unread:
		s.Status, s.Why = 503, "HTTP status 503"
	}
	for _, edit := range edits {
		edit(s)
	}
	return s
}

func likeNotFound(s *document.Sighting) {
	s.Status, s.Interstitial, s.Why = 200, document.Soft404, document.WhySoft404
}

func status(n int) sightingEdit       { return func(s *document.Sighting) { s.Status = n } }
func why(text string) sightingEdit    { return func(s *document.Sighting) { s.Why = text } }
func etag(tag string) sightingEdit    { return func(s *document.Sighting) { s.Hints.ETag = tag } }
func foundOn(url string) sightingEdit { return func(s *document.Sighting) { s.First.From = url } }
func naming(url string) sightingEdit  { return func(s *document.Sighting) { s.Canonical = url } }
func followed(s *document.Sighting)   { s.Status, s.Hints.ETag = 200, "e1" }
func inSitemap(s *document.Sighting)  { s.InSitemap = true }
func notFetched(s *document.Sighting) { s.Fetched = false }
func noHints(s *document.Sighting)    { s.Hints = document.Hints{} }
func newRules(s *document.Sighting)   { s.Rules = rules + 1 }

// same is a page read with the document hash of its record: nothing was spooled.
func same(s *document.Sighting) { s.Same = true }

// text returns the content of a page that was read.
func text(edits ...func(*Content)) *Content {
	c := &Content{Type: document.PageContent, Fields: hashes("Title", "Content"), Length: 1000, Rules: rules}
	for _, edit := range edits {
		edit(c)
	}
	return c
}

func length(n int) func(*Content)       { return func(c *Content) { c.Length = n } }
func warned(kind string) func(*Content) { return func(c *Content) { c.Warn = []string{kind} } }
func file(c *Content)                   { c.Type = document.FileContent }
func otherRules(c *Content)             { c.Rules = rules + 1 }

func differs(names ...string) document.Delta { return document.Delta{Changed: names} }
func lost(names ...string) document.Delta    { return document.Delta{Lost: names} }

// Where a redirect or a canonical leads.
func live() Target                  { return Target{URL: other, State: TargetLive, Hops: 1} }
func alike() Target                 { return Target{URL: other, State: TargetLive, Hops: 1, Alike: true} }
func sole() Target                  { return Target{URL: other, State: TargetLive, Hops: 1, Sole: true, Titled: true} }
func alone() Target                 { return Target{URL: other, State: TargetLive, Hops: 1, Sole: true} }
func ends(state TargetState) Target { return Target{URL: other, State: state, Hops: 1} }
