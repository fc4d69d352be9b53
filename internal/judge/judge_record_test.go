package judge

import (
	"reflect"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// Invariant 10: a record gets its validators with the content that they came with, once the service has
// acknowledged it. Nothing of what was held against the page before is left.
func TestValidatorsComeWithTheirContent(t *testing.T) {
	c := text(file)
	c.Sum, c.Date = document.HashOf("sum"), "2024/02/03"
	s := saw(document.Read, inSitemap, etag("e2"))
	s.First = document.First{Link: "the file", Lastmod: 5}
	want := &document.Record{
		ID: page, Type: document.FileContent, Fields: c.Fields, Content: c.Sum, Length: 1000, Date: c.Date, Rules: rules,
		Hints: document.Hints{ETag: "e2"}, Fetched: start, Push: document.PushOK, Listed: true, First: s.First,
	}
	for _, rec := range []*document.Record{
		nil,
		plain(document.Unread, since("r1")),
		plain(document.Read, foldedInto(other)),
		acked(misses(1), since("r1"), suspect, looked(document.Missing, document.Unread)),
		known(document.PushDoubt, misses(2)),
		known(document.PushRefused, strikes(2), since("r1")),
	} {
		v := Judge(Facts{URL: page, Record: rec, Sighting: s, Content: c, Delta: differs("Title")}, tonight(defaults()))
		want.Born = start
		if rec != nil && len(rec.Fields) > 0 { // sent before
			want.Born = rec.Born
		}
		want.Recent = nil
		if rec != nil && len(rec.Fields) > 0 {
			want.Recent = []uint64{document.SumFields(rec.Type, rec.Fields).Short()}
		}
		if v.Change == nil || !reflect.DeepEqual(v.Change.Next, want) {
			t.Errorf("%+v leaves %+v, want %+v", rec, v.Change, want)
		}
		if v.Change != nil && v.Change.State != document.Planned {
			t.Errorf("%+v makes a change that is %s", rec, v.Change.State)
		}
	}
}

// An unchanged page's record differs from what it was in nothing but what was
// learned.
func TestRefreshKeepsTheRest(t *testing.T) {
	rec := acked(misses(1), looked(document.Missing))
	rec.By, rec.Date, rec.First = "row", "2024/02/03", document.First{Link: "a page"}
	want := *rec
	want.Misses, want.Looks, want.Listed, want.Hints.ETag = 0, nil, true, "e2"
	v := Judge(Facts{URL: page, Record: rec, Sighting: saw(document.Read, same, inSitemap, etag("e2"))}, tonight(defaults()))
	if !reflect.DeepEqual(v.Next, &want) {
		t.Errorf("kept %+v, want %+v", v.Next, &want)
	}
}

// Every look that is kept says in which run, what and why.
func TestLook(t *testing.T) {
	v := Judge(Facts{URL: page, Record: acked(), Sighting: saw(document.Unread)}, tonight(defaults()))
	want := []document.Look{{Run: run, Seen: document.Unread, Status: 503, Why: "HTTP status 503"}}
	if !reflect.DeepEqual(v.Next.Looks, want) {
		t.Errorf("looks %+v, want %+v", v.Next.Looks, want)
	}
}

// What the owner is told names the page, and where it leads.
func TestWarnings(t *testing.T) {
	named := saw(document.Read, naming(other))
	for _, test := range []struct {
		kind  string
		facts Facts
		want  []string
	}{
		{"canonical", Facts{Sighting: named, Content: text(), Target: live()}, []string{other, "other content"}},
		{"canonical", Facts{Sighting: named, Content: text(), Target: ends(TargetDead)}, []string{other, "not there"}},
		{"canonical", Facts{Sighting: named, Content: text(), Target: ends(TargetForeign)}, []string{other, "out of scope"}},
		{"canonical", Facts{Sighting: named, Content: text(), Target: ends(TargetLoop)}, []string{other, "a loop"}},
		{"redirect", Facts{Record: acked(), Sighting: saw(document.Moved), Target: ends(TargetLoop)}, []string{other, "a loop"}},
		{"redirect", Facts{Record: acked(looked(document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetLoop)}, []string{"still redirects", other, "a loop"}},
		{"canonical", Facts{Record: acked(foldedInto(other)), Sighting: named, Content: text(), Target: live(), Delta: differs("Title")}, []string{"still names", other}},
		{"elsewhere", Facts{Record: acked(looked(document.Elsewhere, document.Elsewhere)), Sighting: saw(document.Elsewhere)}, []string{other, "3 runs"}},
		{"unhealthy", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(length(7)), Delta: differs("Content")}, []string{"1,000", "7"}},
		{"unhealthy", Facts{Record: acked(), Sighting: saw(document.Read), Content: text(), Delta: lost("Category")}, []string{"Category"}},
		{"empty-shell", Facts{Sighting: saw(document.Read), Content: text(warned("empty-shell"))}, []string{"JavaScript"}},
		{"file-without-text", Facts{Sighting: saw(document.Read), Content: text(file, warned("file-without-text"))}, []string{"title"}},
	} {
		test.facts.URL = page
		v := Judge(test.facts, tonight(defaults()))
		if len(v.Warnings) != 1 || v.Warnings[0].Kind != test.kind || v.Warnings[0].URL != page {
			t.Errorf("%s: warned %+v", test.kind, v.Warnings)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(v.Warnings[0].Text, want) {
				t.Errorf("%s: %q does not hold %q", test.kind, v.Warnings[0].Text, want)
			}
		}
	}
}

// What a put says for itself; TestEvidence has the deletes.
func TestEvidenceOfPuts(t *testing.T) {
	for _, test := range []struct {
		name  string
		facts Facts
		want  []string // what the evidence names
	}{
		{"in doubt says why", Facts{Record: known(document.PushDoubt), Sighting: saw(document.Read), Content: text()}, []string{"a reason"}},
		{"a retry names the refusals", Facts{Record: known(document.PushRefused, strikes(2)), Sighting: saw(document.Read), Content: text()}, []string{"2", "a reason"}},
		{"parked says why", Facts{Record: known(document.PushRefused, strikes(3)), Sighting: saw(document.Read), Content: text()}, []string{"3", "a reason"}},
	} {
		test.facts.URL = page
		c := Judge(test.facts, tonight(defaults())).Change
		if c == nil {
			t.Errorf("%s: no change", test.name)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(c.Evidence, want) {
				t.Errorf("%s: %q does not hold %q", test.name, c.Evidence, want)
			}
		}
	}
}

// How a URL was found is kept from its first record on, whatever becomes of it.
func TestFoundOnIsFrozen(t *testing.T) {
	first := acked()
	first.First.From = other
	for _, s := range []*document.Sighting{
		saw(document.Read), saw(document.Read, naming(other)), saw(document.NoIndex), saw(document.Moved), saw(document.Elsewhere), saw(document.Unread), saw(document.Missing),
	} {
		for _, rec := range []*document.Record{nil, first, {ID: page, First: first.First}} {
			s.First.From = other
			if rec != nil {
				s.First.From = "https://a.example/later"
			}
			if s.Seen == document.Read { // of what is known, crawl hands the record's own on
				s.First.From = other
			}
			v := Judge(Facts{URL: page, Record: rec, Sighting: s, Content: text(), Delta: differs("Title"), Target: Target{URL: other, State: TargetLive, Alike: true}}, tonight(Policy{Confirm: 2}))
			next := v.Next
			if v.Change != nil {
				next = v.Change.Next
			}
			if next != nil && next.First.From != other || next == nil && !v.Drop && s.Seen != document.Missing {
				t.Errorf("%s of %+v leaves %+v", s.Seen, rec, next)
			}
			if v.Failure != nil && v.Failure.From != other {
				t.Errorf("the failure %+v", v.Failure)
			}
		}
	}
}

// TestRecent: the contents that were acknowledged last are remembered, the latest first,
// three at most, and what is sent is not among them.
func TestRecent(t *testing.T) {
	now := document.SumFields(document.PageContent, text().Fields).Short()
	was := document.SumFields(document.PageContent, acked().Fields).Short()
	for _, c := range []struct{ recent, want []uint64 }{
		{nil, []uint64{was}},
		{[]uint64{1, 2, 3}, []uint64{was, 1, 2}},
		{[]uint64{1, now}, []uint64{was, 1}},
	} {
		v := Judge(Facts{URL: page, Record: acked(func(r *document.Record) { r.Recent = c.recent }), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, tonight(defaults()))
		if v.Change == nil || !reflect.DeepEqual(v.Change.Next.Recent, c.want) {
			t.Errorf("%v: %+v", c.recent, v.Change)
		}
	}
}

// TestLied: a hint that lied is not kept with what was read, the other one is.
func TestLied(t *testing.T) {
	hints := document.Hints{ETag: "e1", LastModified: "monday", Lastmod: 5}
	for lied, want := range map[document.Claim]document.Hints{
		0: hints, document.ClaimLastmod: {ETag: "e1", LastModified: "monday"}, document.ClaimValidator: {Lastmod: 5},
		document.ClaimValidator | document.ClaimLastmod: {},
	} {
		v := Judge(Facts{URL: page, Record: acked(), Lied: lied, Sighting: saw(document.Read, func(s *document.Sighting) { s.Hints = hints }), Content: text(), Delta: differs("Title")}, tonight(defaults()))
		if v.Change == nil || v.Change.Next.Hints != want {
			t.Errorf("%d: %+v", lied, v.Change.Next.Hints)
		}
	}
}

// TestBrokenOffDate: what a page without its end was believed to say has no date, as long as
// that is so: a sitemap that is believed would hide that the page is whole again.
func TestBrokenOffDate(t *testing.T) {
	dated := func(ended bool) *document.Sighting {
		return saw(document.Read, func(s *document.Sighting) { s.Hints.Lastmod, s.Ended = 5, ended })
	}
	failed, before := acked(since("r8")), acked(func(r *document.Record) { r.Hints.Lastmod = 4 })
	for name, c := range map[string]struct {
		facts Facts
		want  int64
	}{
		"believed without its end":  {Facts{Record: failed, Sighting: dated(false), Content: text(), Delta: differs("Content")}, 0},
		"whole after a failure":     {Facts{Record: failed, Sighting: dated(true), Content: text(), Delta: differs("Content")}, 5},
		"never had an end":          {Facts{Record: before, Sighting: dated(false), Content: text(), Delta: differs("Content")}, 5},
		"the same, without its end": {Facts{Record: acked(), Sighting: dated(false)}, 0},
		"the same, and had a date":  {Facts{Record: before, Sighting: dated(false)}, 5},
		"the same, and is whole":    {Facts{Record: acked(), Sighting: dated(true)}, 5},
	} {
		c.facts.URL = page
		v := Judge(c.facts, tonight(defaults()))
		next := v.Next
		if v.Change != nil {
			next = v.Change.Next
		}
		if next == nil {
			next = c.facts.Record
		}
		if next.Hints.Lastmod != c.want {
			t.Errorf("%s: %d", name, next.Hints.Lastmod)
		}
	}
}

// TestSeenThoughHeld: what is kept of a page whose change is held: what was seen of it, and
// nothing of what is due.
func TestSeenThoughHeld(t *testing.T) {
	inSitemap := func(s *document.Sighting) { s.InSitemap = true }
	for name, c := range map[string]struct {
		facts Facts
		want  *document.Record
	}{
		"a write: it failed before, and was missed": {
			Facts{Record: acked(since("r1"), misses(1), looked(document.Missing)), Sighting: saw(document.Read, inSitemap), Content: text(), Delta: differs("Title")}, acked(listed),
		},
		"a write as the last night": {Facts{Record: acked(listed), Sighting: saw(document.Read, inSitemap), Content: text(), Delta: differs("Title")}, nil},
		"a refused write failed since it was refused": {
			Facts{Record: known(document.PushRefused, func(r *document.Record) { r.Since = "r1" }), Sighting: saw(document.Read), Content: text(), Delta: differs("Title")}, nil,
		},
		"a delete: no sitemap lists it any more": {
			Facts{Record: acked(since("r1"), listed), Sighting: saw(document.Gone)},
			acked(func(r *document.Record) { r.Looks = []document.Look{{Run: run, Seen: document.Gone, Status: 410}} }),
		},
		"new":                       {Facts{Led: true, Sighting: saw(document.Read), Content: text()}, &document.Record{ID: page}},
		"new, by a redirect alone":  {Facts{Sighting: saw(document.Read), Content: text()}, nil},
		"new, and an address known": {Facts{Led: true, Record: plain(document.Missing, since("r1")), Sighting: saw(document.Read), Content: text()}, &document.Record{ID: page}},
	} {
		c.facts.URL = page
		if v := Judge(c.facts, tonight(defaults())); v.Change == nil || !reflect.DeepEqual(v.Seen, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, v.Seen, c.want)
		}
	}
}
