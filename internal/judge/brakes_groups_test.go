package judge

import (
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestBrakesOfPlaces is the other half of TestBrakes' table: places, mass updates,
// first effects, and which brake comes first. Where a case says nothing of the
// totals, 1 of 1,000 documents would go.
func TestBrakesOfPlaces(t *testing.T) {
	const (
		none       = document.BrakeNone
		total      = document.BrakeTotal
		incomplete = document.BrakeIncomplete
		host       = document.BrakeHost
		clock      = document.BrakeClock
		group      = document.BrakeGroup
		mass       = document.BrakeMassUpdate
		retention  = document.BrakeRetention
		whole      = "https://a.test/" // names of groups
		news       = "https://a.test/news/"
	)
	usual := Limits{Max: 10, MaxShare: 0.10, MaxAbsolute: 500, MaxFailed: 0.10}
	off := usual
	off.ClockOff = true
	ok := document.Host{State: document.HostOK, Covered: true, Asked: 100}
	cut := document.Host{State: document.HostOK, Asked: 100}
	half := document.Host{State: document.HostOK, Covered: true, Asked: 100, Unread: 50}
	bad := document.Host{State: document.HostUnreachable, Covered: true, Asked: 100, ReadOnly: true}
	// of n documents of a folder so many showed something
	folder := func(shows Astray, astray, n int) Place { return placeOf(news, false, n, shows, astray) }
	empty := func(deletes, n int) Place { return folder(AstrayMissing, deletes, n) }
	sick := func(strangers, n int) Place { return folder(AstrayStranger, strangers, n) }
	wider := func(p Place) Place { p.Name = whole; return p }
	all := func(deletes, n int) Place { return placeOf(whole, true, n, AstrayMissing, deletes) }
	start := func(d Due) Due { d.Start = true; return d }
	last := func(d Due) Due { d.Last, d.Host.Host = true, "https://a.test"; return d }
	turn := func(pages int) Turning {
		return Turning{To: Turn{Page: whole}, Pages: pages, First: news, Documents: 100_000}
	}
	del := func(cause document.Cause, h document.Host, places ...Place) Due {
		return Due{Change: &document.Change{Op: document.Delete, Cause: cause}, Host: h, Places: places}
	}
	// a patch of a known document
	upd := func(h document.Host, places ...Place) Due {
		return Due{Change: &document.Change{Op: document.Patch, Cause: document.CauseChanged}, Host: h, Places: places}
	}
	of := func(d Due, turning Turning) Due { d.Turning = turning; return d }
	rule := func(d Due, fresh bool) Due { d.Rule, d.NewRule = "/news/** before 2y", fresh; return d }
	back := func(d Due) Due { d.Returns = true; return d }
	noPage := func(d Due) Due { d.NoPage = true; return d }
	grew := func(d Due) Due { d.Grew = true; return d }
	folding := func(d Due, n int) Due { d.Folds = n; return d }
	added := func(h document.Host) Due {
		return Due{Change: &document.Change{Op: document.Put, Cause: document.CauseNew}, Host: h}
	}
	much := Totals{Documents: 100, Deletes: 50}
	changed := func(n int) Totals { return Totals{Documents: 1000, Deletes: 1, Changed: n, Room: -1} }
	few := changed(0)
	const (
		missing, gone, noindex       = document.CauseMissing, document.CauseGone, document.CauseNoIndex
		moved, duplicate, redirected = document.CauseMoved, document.CauseDuplicate, document.CauseRedirected
		expired, outOfScope          = document.CauseExpired, document.CauseOutOfScope
		robots, orphan               = document.CauseRobots, document.CauseOrphan
	)

	for _, test := range []struct {
		name   string
		due    Due
		totals Totals
		limits Limits
		want   document.Brake
		group  string
	}{
		{"19 of 19 documents: too few for a folder", del(missing, ok, empty(19, 19)), few, usual, none, ""},
		{"10 of 20 documents are half", del(missing, ok, empty(10, 20)), few, usual, none, ""},
		{"11 of 20 documents", del(missing, ok, empty(11, 20)), few, usual, group, news},
		{"10 of 19 documents of a host", del(missing, ok, all(10, 19)), few, usual, group, whole},
		{"one of two documents of a host", del(missing, ok, all(1, 2)), few, usual, none, ""},
		{"two of two documents of a host", del(missing, ok, all(2, 2)), few, usual, group, whole},
		{"the last document of a host", last(del(missing, ok, all(1, 1))), few, usual, group, whole},
		{"the last document of a host, gone", last(del(gone, ok, all(1, 1))), few, usual, none, ""},
		{"the last document of a host, moved", last(del(moved, ok, all(1, 1))), few, usual, none, ""},
		{"a start page", start(del(missing, ok)), few, usual, group, "start"},
		{"a start page by noindex", start(del(noindex, ok)), few, usual, group, "start"},
		{"a start page that is gone", start(del(gone, ok)), few, usual, none, ""},
		{"a start page that moved", start(del(moved, ok)), few, usual, none, ""},
		{"a start page of a host that empties", start(del(missing, ok, all(2, 2))), few, usual, group, whole},
		{"a start page is named before the total", start(del(missing, ok)), much, usual, group, "start"},
		{"a start page that changed", start(upd(ok)), few, usual, none, ""},
		{"of two places that are ill the widest is named", del(missing, ok, wider(empty(30, 50)), empty(20, 20)), few, usual, group, whole},
		{"of two places the one that is ill is named", del(missing, ok, wider(empty(20, 50)), empty(20, 20)), few, usual, group, news},
		{"a place of strangers holds deletes", del(missing, ok, sick(11, 20)), few, usual, group, news},
		{"a place of strangers does not hold gone pages", del(gone, ok, sick(11, 20)), few, usual, none, ""},
		{"a place of missing pages does not hold gone pages", del(gone, ok, empty(11, 20)), few, usual, none, ""},
		{"a place of gone pages holds them", del(gone, ok, folder(AstrayGone, 11, 20)), few, usual, group, news},
		{"a place of gone pages holds no update", upd(ok, folder(AstrayGone, 11, 20)), few, usual, none, ""},
		{"a place of missing pages holds no update", upd(ok, empty(20, 20)), few, usual, none, ""},
		{"a place that the configuration excludes holds no update", upd(ok, folder(AstrayExcluded, 20, 20)), few, usual, none, ""},
		{"a place with noindex holds updates", upd(ok, folder(AstrayNoIndex, 11, 20)), few, usual, group, news},
		{"a place that leads away holds updates", upd(ok, folder(AstrayAway, 11, 20)), few, usual, group, news},
		{"a place behind a guard holds updates", upd(ok, folder(AstrayGuarded, 11, 20)), few, usual, group, news},
		{"a place of shells holds updates", upd(ok, folder(AstrayEmpty, 11, 20)), few, usual, group, news},
		{"a place holds excluded pages", del(outOfScope, ok, empty(11, 20)), few, usual, group, news},
		{"a place holds no moved page", del(moved, ok, empty(11, 20)), few, usual, none, ""},
		{"a place holds a duplicate", del(duplicate, ok, empty(11, 20)), few, usual, group, news},
		{"the place is named before the total", del(missing, ok, empty(11, 20)), much, usual, group, news},
		{"the total holds what no place does", del(missing, ok, empty(10, 20)), much, usual, total, ""},
		{"an uncovered host comes before the place", del(missing, cut, empty(11, 20)), few, usual, incomplete, ""},
		{"unread pages come before the place", del(missing, half, empty(11, 20)), few, usual, incomplete, ""},
		{"gone pages pass an uncovered host, but not the place", del(gone, cut, folder(AstrayGone, 11, 20)), few, usual, group, news},
		{"noindex pages pass unread ones, but not the place", del(noindex, half, empty(11, 20)), few, usual, group, news},
		{"a bad host comes before the place", del(missing, bad, empty(11, 20)), few, usual, host, ""},
		{"deletes that always pass do not pass the place", del(missing, ok, empty(11, 20)), few, Limits{Max: 100, MaxShare: 1, MaxAbsolute: 1000, MaxFailed: 1}, group, news},

		{"the first effect of a rule", rule(del(expired, ok), true), few, usual, retention, ""},
		{"a later effect of a rule", rule(del(expired, ok), false), few, usual, none, ""},
		{"a new rule does not hold a missing page", rule(del(missing, ok), true), few, usual, none, ""},
		{"the clock comes before the rule", rule(del(expired, ok), true), few, off, clock, ""},
		{"a bad host comes before the rule", rule(del(expired, bad), true), few, usual, host, ""},
		{"the rule comes before an uncovered host", rule(del(expired, cut), true), few, usual, retention, ""},
		{"the rule comes before the place", rule(del(expired, ok, empty(11, 20)), true), few, usual, retention, ""},
		{"the rule comes before the total", rule(del(expired, ok), true), much, usual, retention, ""},
		{"the clock comes before an uncovered host and the group", rule(del(expired, cut, empty(11, 20)), false), much, off, clock, ""},
		{"a known rule on an uncovered host", rule(del(expired, cut), false), few, usual, incomplete, ""},
		{"a known rule and the total", rule(del(expired, ok), false), much, usual, total, ""},

		{"4 of 4 changed pages turn to one text", of(upd(ok), turn(4)), changed(4), usual, none, ""},
		{"5 of 5", of(upd(ok), turn(5)), changed(5), usual, mass, ""},
		{"5 of 24", of(upd(ok), turn(5)), changed(24), usual, mass, ""},
		{"5 of 25 are a fifth", of(upd(ok), turn(5)), changed(25), usual, mass, ""},
		{"5 of 26 are less", of(upd(ok), turn(5)), changed(26), usual, none, ""},
		{"199 of 1,000", of(upd(ok), turn(199)), changed(1000), usual, none, ""},
		{"200 of 1,000", of(upd(ok), turn(200)), changed(1000), usual, mass, ""},
		{"a page that turns to a text of its own", of(upd(ok), turn(1)), changed(1), usual, none, ""},
		{"a page that turns to nothing", upd(ok), changed(5), usual, none, ""},
		{"a new page with the text of a mass", of((upd(ok)), turn(50)), changed(50), usual, mass, ""},
		{"pages redirected to one", of(del(redirected, ok), turn(5)), changed(25), usual, mass, ""},
		{"four pages redirected to one", of(del(redirected, ok), turn(4)), changed(4), usual, none, ""},
		{"pages redirected to one, among many that move", of(del(redirected, ok), turn(5)), changed(26), usual, none, ""},
		{"the place is named before the mass update", of(del(redirected, ok, empty(20, 20)), turn(20)), changed(20), usual, group, news},
		{"the mass update is named before the total", of(del(redirected, ok), turn(50)), Totals{Documents: 100, Deletes: 50, Changed: 50}, usual, mass, ""},
		{"what is too little for a mass update meets the total", of(del(redirected, ok), turn(50)), Totals{Documents: 300, Deletes: 50, Changed: 300}, usual, total, ""},
		{"an uncovered host comes before the mass update", of(del(redirected, cut), turn(5)), changed(5), usual, incomplete, ""},
		{"a bad host comes before the mass update", of(del(redirected, bad), turn(5)), changed(5), usual, host, ""},
		{"pages that show one text and name one of them as canonical", of(del(duplicate, ok), turn(5)), changed(5), usual, mass, ""},
		{"a moved page is in no mass", del(moved, ok), changed(5), usual, none, ""},
		{"an update on an uncovered host", of(upd(cut), turn(4)), changed(4), off, none, ""},
		{"a mass update does not ask how many deletes there are", of(upd(ok), turn(4)), much, usual, none, ""},

		{"a page that shows what the index held before", back(upd(ok, sick(5, 5))), few, usual, none, ""},
		{"10 of 20 documents with another text", upd(ok, sick(10, 20)), few, usual, none, ""},
		{"11 of 20", upd(ok, sick(11, 20)), few, usual, group, news},
		{"a new document of such a place", (upd(ok, sick(11, 20))), few, usual, group, news},
		{"a page that shows what the index held before", back(upd(ok, sick(20, 20))), few, usual, none, ""},
		{"a place comes before the mass update", of(upd(ok, sick(20, 20)), turn(5)), changed(5), usual, group, news},
		{"a page like what is not there, in a place of missing pages", noPage(upd(ok, empty(11, 20))), few, usual, group, news},
		{"a page like what is not there, in a place that is well", noPage(upd(ok)), few, usual, none, ""},
		{"20 of 1,000 changed pages turn to one text, 1 % of the host", of(upd(ok), Turning{To: Turn{Text: 1}, Pages: 20, First: news, Documents: 2000}), changed(1000), usual, mass, ""},
		{"20 of 1,000 changed pages, less than 1 %", of(upd(ok), Turning{To: Turn{Text: 1}, Pages: 20, First: news, Documents: 2001}), changed(1000), usual, none, ""},
		{"four documents fold into one page", folding(del(moved, ok, empty(11, 20)), 4), few, usual, none, ""},
		{"five documents fold into one page", folding(del(moved, ok, empty(11, 20)), 5), few, usual, group, news},
		{"five duplicates fold into one page, and meet the total", folding(del(duplicate, ok), 5), much, usual, total, ""},
		{"the last new document within the room", added(ok), Totals{Documents: 9, Room: 500, Fresh: 499}, usual, none, ""},
		{"a new document beyond the room", added(ok), Totals{Documents: 9, Room: 500, Fresh: 500}, usual, document.BrakeGrowth, ""},
		{"any new document of a first run", added(ok), Totals{Fresh: 10_000}, usual, none, ""},
		{"a new document that growth held before", grew(added(ok)), Totals{Documents: 900, Room: 900}, usual, document.BrakeGrowth, ""},
	} {
		got := Brakes(&test.due, test.totals, test.limits)
		if got.Brake != test.want || got.Brake == group && got.Place != test.group {
			t.Errorf("%s: held by %q of %q, want %q of %q", test.name, got.Brake, got.Place, test.want, test.group)
		}
		if (got.Brake == none) != (got.Why == 0) || got.Brake != none && (got.Release == ReleaseNone) != (got.Brake == host) {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// TestTurned: which due changes are those of changed pages, and what they turn to.
func TestTurned(t *testing.T) {
	old, now := document.HashOf("old"), document.HashOf("now")
	const text, toOther = "aa", "bb"
	join := func(turns []Turn) string {
		var names []string
		for _, to := range turns {
			names = append(names, fmt.Sprintf("%s%x", to.Page, uint64(to.Text)))
		}
		return strings.Join(names, " ")
	}
	for _, test := range []struct {
		name    string
		op      document.Op
		cause   document.Cause
		sum     document.Hash // of what was read; zero: no text
		delta   string        // a field that differs
		push    document.Push
		state   document.State
		changed bool
		to      string
	}{
		{"another text", document.Patch, "changed", now, "Content", "ok", "planned", true, text},
		{"another title", document.Patch, "changed", old, "Title", "ok", "planned", true, ""},
		{"no text", document.Put, "changed", document.Hash{}, "Content", "ok", "planned", true, ""},
		{"in doubt, another text", document.Put, "in-doubt", now, "Content", "doubt", "planned", true, text},
		{"in doubt, the same", document.Put, "in-doubt", old, "", "doubt", "planned", false, ""},
		{"parked", document.Put, "retry", now, "Content", "ok", "refused", false, ""},
		{"new", document.Put, "new", now, "Content", "", "planned", false, text},
		{"redirected", document.Delete, "redirected", document.Hash{}, "", "ok", "planned", true, "https://a.test/0 " + toOther},
		{"moved", document.Delete, "moved", document.Hash{}, "", "ok", "planned", true, "https://a.test/0"},
		{"missing", document.Delete, "missing", document.Hash{}, "", "ok", "planned", false, ""},
		{"folded as it was", document.Delete, "duplicate", old, "", "ok", "planned", false, ""},
		{"folded with another text", document.Delete, "duplicate", now, "Content", "ok", "planned", true, "https://a.test/0 " + text},
	} {
		content := &Content{Sum: test.sum}
		if !test.sum.IsZero() {
			content.Print = 0xaa
		}
		f := &Facts{Record: &document.Record{Push: test.push, Type: document.PageContent, Content: old, Fields: hashes("Title")}, Content: content, Target: Target{URL: "https://a.test/", Print: 0xbb}}
		if test.delta != "" {
			f.Delta.Changed = []string{test.delta}
		}
		c := &document.Change{Op: test.op, Cause: test.cause, State: test.state}
		if changed, to := Turned(f, c); changed != test.changed || join(to) != test.to {
			t.Errorf("%s: changed %v to %v", test.name, changed, to)
		}
	}
	for name, c := range map[string]struct {
		seen  document.Seen
		folds int
		to    string
	}{
		"waiting, to a page of its own": {document.Moved, 1, "https://a.test/0 " + toOther}, "elsewhere": {document.Elsewhere, 1, "https://a.test/0 " + toOther},
		"waiting, with others": {document.Moved, 2, "https://a.test/0"}, "missing for now": {document.Missing, 1, ""},
	} {
		f := &Facts{Record: acked(), Sighting: saw(c.seen), Target: Target{URL: "https://a.test/", State: TargetLive, Print: 0xbb, Folds: c.folds}}
		if changed, to := Turned(f, nil); changed != (c.to != "") || join(to) != c.to {
			t.Errorf("%s: changed %v to %v", name, changed, to)
		}
	}
	returning := &Facts{Record: acked(), Content: text1("Title")}
	returning.Record.Recent = []uint64{document.SumFields(document.PageContent, returning.Content.Fields).Short()}
	if changed, to := Turned(returning, &document.Change{Op: document.Patch, State: document.Planned}); changed || to != nil {
		t.Errorf("a page that is as it was before: changed to %v", to)
	}
}

// text1 returns the content of a page with fields alone.
func text1(names ...string) *Content {
	return &Content{Type: document.PageContent, Fields: hashes(names...)}
}

// placeOf returns a place of n documents, of which so many showed something.
func placeOf(name string, host bool, n int, shows Astray, astray int) Place {
	p := Place{Name: name, Host: host, Documents: n}
	for range astray {
		p.Count(shows, false)
	}
	return p
}
