package past

import (
	"testing"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/spool"
)

var began = time.Date(2026, time.March, 4, 2, 30, 0, 0, time.UTC)

// TestStale: the next run reads a page in full for one reason of many, or takes a hint.
func TestStale(t *testing.T) {
	today := began.Truncate(24 * time.Hour).Unix()
	for name, c := range map[string]struct {
		edit           func(rec *document.Record)
		believes, want bool
	}{
		"as it was":             {func(*document.Record) {}, false, false},
		"doubt":                 {func(r *document.Record) { r.Push = document.PushDoubt }, false, true},
		"refused":               {func(r *document.Record) { r.Push = document.PushRefused }, false, true},
		"not read":              {func(r *document.Record) { r.Since = "run" }, false, true},
		"ill":                   {func(r *document.Record) { r.Suspect.How = "x" }, false, true},
		"folded":                {func(r *document.Record) { r.Canonical, r.Push = "https://a.test/", document.PushNone }, false, true},
		"other rules":           {func(r *document.Record) { r.Rules = 2 }, false, true},
		"recheck":               {func(r *document.Record) { r.Fetched -= 100 * 3600 }, false, true},
		"read by a clock ahead": {func(r *document.Record) { r.Fetched += 2 * 365 * 24 * 3600 }, false, true},
		"a day that is over":    {func(r *document.Record) { r.Hints.Lastmod, r.Fetched = today-24*3600, began.Unix()-24*3600 }, true, false},
		"a day that is over everywhere": {func(r *document.Record) {
			r.Hints.Lastmod, r.Fetched = today-2*24*3600, began.Unix()-24*3600
		}, true, true},
		"a day that is over, not believed": {func(r *document.Record) {
			r.Hints.Lastmod, r.Fetched = today-2*24*3600, began.Unix()-24*3600
		}, false, false},
		"a day that was over": {func(r *document.Record) { r.Hints.Lastmod = today - 2*24*3600 }, true, false},
	} {
		rec := &document.Record{
			ID: "https://a.test/p", Push: document.PushOK, Rules: 1, Listed: true, Fetched: began.Unix(), Hints: document.Hints{ETag: "e", Lastmod: 5},
		}
		c.edit(rec)
		p := New(Options{Start: began, Recheck: 100 * time.Hour, Rules: func(string) uint64 { return 1 }}, nil, spool.NewTable())
		if c.believes {
			p.hosts["https://a.test"] = document.HostMemory{Lastmod: document.Trust{Checks: 50}}
		}
		if got := p.stale(rec); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// oneTarget is a ledger that holds the document that others are folded into.
type oneTarget struct {
	Ledger
	record document.Record
}

func (l *oneTarget) Brief(string) (*document.Record, error) { return &l.record, nil }

// TestRests: a page that names the document it is folded into waits for its recheck, once such
// pages of its host proved to stay folded, while nothing is due about either.
func TestRests(t *testing.T) {
	for name, c := range map[string]struct {
		edit  func(rec, target *document.Record)
		folds document.Trust
		want  bool
	}{
		"folded by itself":     {func(_, _ *document.Record) {}, document.Trust{Checks: 60}, true},
		"due":                  {func(r, _ *document.Record) { r.Fetched -= 100 * 3600 }, document.Trust{Checks: 60}, false},
		"for equal content":    {func(r, _ *document.Record) { r.Looks[0].Why = "equal" }, document.Trust{Checks: 60}, false},
		"not proved":           {func(_, _ *document.Record) {}, document.Trust{Checks: 49}, false},
		"others went":          {func(_, _ *document.Record) {}, document.Trust{Checks: 100, Lies: []int{1, 2}}, false},
		"the target is missed": {func(_, at *document.Record) { at.Misses = 1 }, document.Trust{Checks: 60}, false},
		"no target was put":    {func(_, at *document.Record) { at.Push = document.PushNone }, document.Trust{Checks: 60}, false},
	} {
		rec := &document.Record{
			ID: "https://a.test/s?1", Push: document.PushNone, Canonical: "https://a.test/", Fetched: began.Unix(),
			Looks: []document.Look{{Seen: document.Read, Why: document.WhyCanonical}},
		}
		ledger := &oneTarget{record: document.Record{Push: document.PushOK}}
		c.edit(rec, &ledger.record)
		expired := func(string, string) (string, string) { return "", "" }
		p := New(Options{Start: began, Recheck: 100 * time.Hour, Expired: expired}, ledger, spool.NewTable())
		p.hosts["https://a.test"] = document.HostMemory{Folds: c.folds}
		if got := p.rests(rec); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestCalledChanged: a trusted sitemap calls a page changed by another date, and by leaving it
// out; one that is not trusted calls nothing.
func TestCalledChanged(t *testing.T) {
	rec := &document.Record{ID: "https://a.test/p", Hints: document.Hints{Lastmod: 5}}
	for _, trusted := range []bool{false, true} {
		p := &Past{}
		if trusted {
			p.hosts = map[string]document.HostMemory{"https://a.test": {Lastmod: document.Trust{Checks: 50}}}
		}
		for lastmod, want := range map[int64]bool{5: false, 6: trusted, 0: trusted} {
			if got := p.CalledChanged(rec, lastmod); got != want {
				t.Errorf("trusted %v, date %d: %v", trusted, lastmod, got)
			}
		}
	}
}

// TestCopies: what was added twice or more is known, what was added once or never is not.
func TestCopies(t *testing.T) {
	var c Copies
	for n := range uint64(1000) {
		for range n % 4 {
			c.Add(n + 1)
		}
	}
	for n := range uint64(1000) {
		if got, want := c.Of(n+1), int(min(n%4, 2)); got != want {
			t.Errorf("%d was added %d times: %d", n, n%4, got)
		}
	}
	if c.Add(0); c.Of(0) != 0 {
		t.Error("0 is a value")
	}
}
