package report

import (
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// TestTold: what is said of a held change, the command, and what to mend.
func TestTold(t *testing.T) {
	limits := judge.Limits{Max: 10, MaxShare: 0.14, MaxAbsolute: 500, MaxFailed: 0.10}
	due := func(cause document.Cause, change func(*judge.Due)) *judge.Due {
		d := &judge.Due{Change: &document.Change{Op: document.Delete, Cause: cause}, Host: document.Host{Host: "https://a.test", State: document.HostOK, Asked: 9, Covered: true}}
		if change != nil {
			change(d)
		}
		return d
	}
	put := func(cause document.Cause, turning judge.Turning) *judge.Due {
		return &judge.Due{Change: &document.Change{Op: document.Put, Cause: cause}, Host: document.Host{Host: "https://a.test", State: document.HostOK}, Turning: turning}
	}
	state := func(s document.HostState) func(*judge.Due) { return func(d *judge.Due) { d.Host.State = s } }
	place := func(shows judge.Astray) func(*judge.Due) {
		p := judge.Place{Name: "https://a.test/", Host: true, Documents: 9}
		for range 7 {
			p.Count(shows, false)
		}
		return func(d *judge.Due) { d.Places = []judge.Place{p} }
	}
	excluded := due("out-of-scope", func(d *judge.Due) { d.Evidence = `site.exclude "/x/**"` })
	refused := due("refused", func(d *judge.Due) { d.Host.Refused = 4 })
	text := judge.Turning{To: judge.Turn{Text: 0x0123456789abcdef}, Pages: 7, First: "https://a.test/x"}
	page := judge.Turning{To: judge.Turn{Page: "https://a.test/?a&b"}, Pages: 20, Documents: 2000}
	hold := func(d *judge.Due, totals judge.Totals) judge.Hold { return judge.Brakes(d, totals, limits) }
	origin := func(d *judge.Due) judge.Hold { return judge.HoldOrigin(d, "https://a.test/") }
	past := limits
	past.ClockOff = true
	for _, test := range []struct {
		hold                      judge.Hold
		group, why, release, mend string
	}{
		{hold(due("missing", nil), judge.Totals{Documents: 10, Deletes: 3}), "", "3 deletes of 10 documents: more than a quarter", "approve --cause missing", "put the pages back"},
		{hold(due("missing", nil), judge.Totals{Documents: 100, Deletes: 21}), "", "21 deletes of 100 documents: more than delete.max, 10, and delete.max_share, 14 %", "approve --cause missing", "put the pages back"},
		{hold(due("gone", nil), judge.Totals{Documents: 90000, Deletes: 501}), "", "501 deletes of 90,000 documents: more than delete.max_absolute, 500", "approve --cause gone", "put the pages back"},
		{hold(excluded, judge.Totals{Documents: 100, Deletes: 21}), "", "21 deletes of 100 documents: more than delete.max, 10, and delete.max_share, 14 %", "sync --accept-scope", "mend [site] in the configuration"},
		{hold(due("missing", func(d *judge.Due) { d.Host.Unread = 4 }), judge.Totals{}), "https://a.test/", "4 of 9 pages of https://a.test/ were not read: more than fetch.max_failed_share, 10 %", "approve --cause missing", "have the other pages answer, and run again"},
		{hold(due("missing", func(d *judge.Due) { d.Host.Covered = false }), judge.Totals{}), "https://a.test/", "not every page of https://a.test/ was looked at, so what seems missing may be there", "approve --cause missing", "have the other pages answer, and run again"},
		{hold(due("missing", func(d *judge.Due) { d.Host.Covered, d.Pattern = false, `^/cal/\d+$` }), judge.Totals{}), `^/cal/\d+$`, "addresses of this form lead on without end, so not all of them were asked for", `approve --group '^/cal/\d+$'`, "have the other pages answer, and run again"},
		{hold(refused, judge.Totals{}), "https://a.test/", "4 documents of https://a.test/ are refused: more than fetch.max_failed_share, 10 %", "approve --cause refused", "have the other pages answer, and run again"},
		{hold(due("unread", nil), judge.Totals{}), "https://a.test/", "they were not seen for a month, and nothing says that they are gone", "approve --cause unread", "have the other pages answer, and run again"},
		{hold(due("expired", func(d *judge.Due) { d.Rule, d.NewRule = "/n's/** before 2y", true }), judge.Totals{}), "/n's/** before 2y", "the retention rule /n's/** before 2y has had no effect before", `approve --group '/n'\''s/** before 2y'`, "mend the rule"},
		{judge.Brakes(due("expired", nil), judge.Totals{}, past), "", "the clock stands before the last run's or more than 60 days past it, so what seems expired may not be", "approve --cause expired", "set the clock"},
		{origin(put("new", text)), "https://a.test/", "a start address on a host that this ledger does not know yet", "approve --group https://a.test/", "mend site.start"},
		{origin(excluded), "https://a.test/", "they are on no host of the site any more, and the documents of a new start address wait for an approval", "approve --group https://a.test/", "mend [site] in the configuration"},
		{hold(put("changed", page), judge.Totals{Changed: 900}), "to:https://a.test/?a&b", "20 of 900 changed pages redirect to https://a.test/?a&b or name it as canonical", "approve --group 'to:https://a.test/?a&b'", "have the pages show their own texts again"},
		{hold(put("changed", text), judge.Totals{Changed: 9}), "text:https://a.test/x", "7 of 9 changed pages turn to one text, first that of https://a.test/x", "approve --group text:https://a.test/x", "have the pages show their own texts again"},
		{hold(put("new", judge.Turning{}), judge.Totals{Documents: 900, Room: 1000, Fresh: 1000}), "", "more than 1,000 new documents in one night, and the index has 900", "approve --cause new", "exclude what does not belong to the site: site.exclude"},
		{hold(due("missing", state(document.HostUnreachable)), judge.Totals{}), "https://a.test/", "the host is not ok; what is still due goes out once it is", "", "mend the host, and run again"},
		{hold(due("missing", state(document.HostSitemapCollapse)), judge.Totals{}), "https://a.test/", "the sitemaps collapsed; if these pages are gone on purpose, release them, else what is still due goes out once the sitemaps are whole", "approve --group https://a.test/", "mend the host, and run again"},
		{hold(due("missing", place(judge.AstrayMissing)), judge.Totals{}), "https://a.test/", "7 of 9 documents of https://a.test/: 7 not there; more than half", "approve --group https://a.test/", "put the pages back"},
		{hold(due("missing", place(judge.AstrayStranger)), judge.Totals{}), "https://a.test/", "7 of 9 documents of https://a.test/: 7 with another text; more than half", "approve --group https://a.test/", "have the pages show their own texts again"},
		{hold(due("missing", func(d *judge.Due) { d.Start = true }), judge.Totals{Documents: 9}), "start", "the site begins there, so a start page is deleted only if it answers 410 or you approve it", "approve --group start", "put the page back, or name another one in site.start"},
		{hold(due("missing", func(d *judge.Due) { d.Last = true }), judge.Totals{Documents: 9}), "https://a.test/", "it is the last document of its host, so it is deleted only if it answers 410 or you approve it", "approve --group https://a.test/", "put the page back"},
	} {
		got := Told(test.hold)
		want := document.Tripped{Brake: test.hold.Brake, Group: test.group, Why: test.why, Release: document.Command(strings.TrimSpace("sitesync " + test.release)), Mend: test.mend}
		if test.release == "" {
			want.Release = ""
		}
		if got != want || got.Brake == document.BrakeNone {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

// TestDays: an evidence with days in place of runs.
func TestDays(t *testing.T) {
	run := func(month time.Month, day int) string {
		var id ulid.ULID
		_ = id.SetTime(uint64(1000 * noon(2026, month, day)))
		return id.String()
	}
	nov21, nov22, dec1 := run(11, 21), run(11, 22), run(12, 1)
	for evidence, want := range map[string]string{
		"":                    "",
		"404":                 "404",
		"410 in run " + nov21: "410 on 21 November",
		"noindex, in run R1":  "noindex, in run R1",
		"308 in run " + nov21 + " to https://a.test/":                                              "308 on 21 November to https://a.test/",
		"404 in runs " + nov21 + ", " + nov22 + "; still in the sitemap":                           "404 on 21 and 22 November; still in the sitemap",
		"404 in runs " + nov21 + ", " + nov22 + ", " + dec1 + ", 503 in runs " + dec1 + " and now": "404 on 21, 22 November and 1 December, 503 on 1 December and now",
		"404 in runs " + nov21 + ", " + nov21 + ", " + nov22:                                       "404 on 21 and 22 November",
	} {
		if got := Days(evidence); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", evidence, got, want)
		}
	}
}
