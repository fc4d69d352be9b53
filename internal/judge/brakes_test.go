package judge

import (
	"testing"

	"sitesync/internal/document"
)

func TestBrakes(t *testing.T) {
	const (
		none       = document.BrakeNone
		total      = document.BrakeTotal
		incomplete = document.BrakeIncomplete
		host       = document.BrakeHost
		clock      = document.BrakeClock

		missing    = document.CauseMissing
		gone       = document.CauseGone
		noindex    = document.CauseNoIndex
		moved      = document.CauseMoved
		duplicate  = document.CauseDuplicate
		redirected = document.CauseRedirected
	)
	usual := Limits{Max: 10, MaxShare: 0.10, MaxAbsolute: 500, MaxFailed: 0.10}
	off := usual
	off.ClockOff = true
	ok := document.Host{State: document.HostOK, Covered: true, Asked: 100}
	cut := document.Host{State: document.HostOK, Asked: 100}
	refusing := ok
	refusing.Refused = 12
	unreadOf := func(unread, asked int) document.Host {
		return document.Host{State: document.HostOK, Covered: true, Asked: asked, Unread: unread}
	}
	in := func(state document.HostState) document.Host {
		return document.Host{State: state, Covered: true, Asked: 100}
	}

	for _, test := range []struct {
		name      string
		cause     document.Cause
		host      document.Host
		deletes   int
		documents int
		limits    Limits
		want      document.Brake
	}{
		{"one delete", missing, ok, 1, 100, usual, none},
		{"one delete of one document", missing, ok, 1, 1, usual, none},
		{"one delete of three documents", missing, ok, 1, 3, usual, none},
		{"two deletes of seven documents are more than a quarter", missing, ok, 2, 7, usual, total},
		{"two deletes of eight documents are a quarter", missing, ok, 2, 8, usual, none},
		{"two deletes of ten documents", missing, ok, 2, 10, usual, none},
		{"three deletes of ten documents", missing, ok, 3, 10, usual, total},
		{"ten deletes of 39 documents", missing, ok, 10, 39, usual, total},
		{"ten deletes of 40 documents", missing, ok, 10, 40, usual, none},
		{"eleven deletes of 44 documents are a quarter, but more than a tenth", missing, ok, 11, 44, usual, total},
		{"eleven deletes of 109 documents are more than a tenth", missing, ok, 11, 109, usual, total},
		{"eleven deletes of 110 documents are a tenth", missing, ok, 11, 110, usual, none},
		{"eleven deletes of 111 documents", missing, ok, 11, 111, usual, none},
		{"500 deletes of 100,000 documents", missing, ok, 500, 100_000, usual, none},
		{"501 deletes of 100,000 documents", missing, ok, 501, 100_000, usual, total},
		{"500 deletes of 5,000 documents are a tenth", missing, ok, 500, 5000, usual, none},
		{"500 deletes of 4,999 documents are more than a tenth", missing, ok, 500, 4999, usual, total},
		{"no delete passes freely", missing, ok, 1, 5, Limits{MaxShare: 0.10, MaxAbsolute: 500, MaxFailed: 1}, total},
		{"no delete passes freely, but a small share does", missing, ok, 1, 10, Limits{MaxShare: 0.10, MaxAbsolute: 500, MaxFailed: 1}, none},
		{"a share of none holds what is more than always passes", missing, ok, 11, 1_000_000, Limits{Max: 10, MaxAbsolute: 500, MaxFailed: 1}, total},
		{"a share of all lets the absolute number decide", missing, ok, 501, 501, Limits{Max: 10, MaxShare: 1, MaxAbsolute: 500, MaxFailed: 1}, total},
		{"a share of all lets a quarter pass", missing, ok, 500, 2000, Limits{Max: 10, MaxShare: 1, MaxAbsolute: 500, MaxFailed: 1}, none},
		{"a share of all lets no more than a quarter pass", missing, ok, 501, 2000, Limits{Max: 10, MaxShare: 1, MaxAbsolute: 2000, MaxFailed: 1}, total},
		{"any number lets no more than a quarter pass", missing, ok, 501, 2000, Limits{Max: 2000, MaxShare: 1, MaxAbsolute: 2000, MaxFailed: 1}, total},
		{"an absolute number under the free one holds", missing, ok, 6, 1000, Limits{Max: 10, MaxShare: 1, MaxAbsolute: 5, MaxFailed: 1}, total},
		{"as many as the absolute number", missing, ok, 5, 1000, Limits{Max: 10, MaxShare: 1, MaxAbsolute: 5, MaxFailed: 1}, none},
		{"14 deletes of a hundred documents are not more than 14 %", missing, ok, 14, 100, Limits{Max: 10, MaxShare: 0.14, MaxAbsolute: 500, MaxFailed: 1}, none},
		{"15 deletes of a hundred documents are more than 14 %", missing, ok, 15, 100, Limits{Max: 10, MaxShare: 0.14, MaxAbsolute: 500, MaxFailed: 1}, total},
		{"deletes where no document is known", missing, ok, 11, 0, usual, total},
		{"the total holds gone pages", gone, ok, 50, 100, usual, total},
		{"the total holds noindex pages", noindex, ok, 50, 100, usual, total},
		{"the total holds redirected pages", redirected, ok, 50, 100, usual, total},
		{"the total holds expired pages", document.CauseExpired, ok, 50, 100, usual, total},
		{"the total holds excluded pages", document.CauseOutOfScope, ok, 50, 100, usual, total},
		{"the total holds disallowed pages", document.CauseRobots, ok, 50, 100, usual, total},
		{"more than a tenth of the documents is refused", document.CauseRefused, refusing, 1, 100, usual, incomplete},
		{"that holds nothing else", missing, refusing, 1, 100, usual, none},
		{"few documents are refused", document.CauseRefused, ok, 1, 100, usual, none},
		{"the total holds refused pages", document.CauseRefused, ok, 50, 100, usual, total},
		{"a page was not seen for a month", document.CauseUnread, ok, 1, 100, usual, incomplete},
		{"the total holds orphans", document.CauseOrphan, ok, 50, 100, usual, total},
		{"the total does not hold a moved page", moved, ok, 50, 100, usual, none},
		{"the total does not hold a duplicate", duplicate, ok, 50, 100, usual, none},

		{"a missing page on a host that was cut short", missing, cut, 1, 100, usual, incomplete},
		{"a redirected page on a host that was cut short", redirected, cut, 1, 100, usual, incomplete},
		{"an expired page on a host that was cut short", document.CauseExpired, cut, 1, 100, usual, incomplete},
		{"an excluded page on a host that was cut short", document.CauseOutOfScope, cut, 1, 100, usual, incomplete},
		{"a disallowed page on a host that was cut short", document.CauseRobots, cut, 1, 100, usual, incomplete},
		{"an orphan on a host that was cut short", document.CauseOrphan, cut, 1, 100, usual, incomplete},
		{"a soft 404 on a host that was cut short", document.CauseSoft404, cut, 1, 100, usual, incomplete},
		{"a moved page on a host that was cut short", moved, cut, 1, 100, usual, none},
		{"a duplicate on a host that was cut short", duplicate, cut, 1, 100, usual, incomplete},
		{"a gone page passes on a host that was cut short", gone, cut, 1, 100, usual, none},
		{"a noindex page passes on a host that was cut short", noindex, cut, 1, 100, usual, none},
		{"too many gone pages are held on a host that was cut short", gone, cut, 50, 100, usual, total},
		{"too many missing pages on a host that was cut short", missing, cut, 50, 100, usual, incomplete},
		{"a tenth of the host is unread", missing, unreadOf(10, 100), 1, 100, usual, none},
		{"more than a tenth of the host is unread", missing, unreadOf(11, 100), 1, 100, usual, incomplete},
		{"more than a tenth of a small host is unread", missing, unreadOf(1, 9), 1, 100, usual, incomplete},
		{"a gone page passes where much is unread", gone, unreadOf(90, 100), 1, 100, usual, none},
		{"29 unread pages of a hundred are not more than 29 %", missing, unreadOf(29, 100), 1, 100, Limits{Max: 10, MaxShare: 1, MaxAbsolute: 500, MaxFailed: 0.29}, none},
		{"no page may be unread and one is", missing, unreadOf(1, 100), 1, 100, Limits{Max: 10, MaxShare: 0.10, MaxAbsolute: 500}, incomplete},
		{"no page may be unread and none is", missing, ok, 1, 100, Limits{Max: 10, MaxShare: 0.10, MaxAbsolute: 500}, none},
		{"all pages may be unread", missing, unreadOf(100, 100), 1, 100, Limits{Max: 10, MaxShare: 0.10, MaxAbsolute: 500, MaxFailed: 1}, none},
		{"a host of which nothing was asked, and covered", missing, document.Host{State: document.HostOK, Covered: true}, 1, 100, usual, none},

		{"an expired page while the clock is off", document.CauseExpired, ok, 1, 100, off, clock},
		{"an expired page on a host that was cut short while the clock is off", document.CauseExpired, cut, 50, 100, off, clock},
		{"a missing page does not ask for the clock", missing, ok, 1, 100, off, none},
		{"a gone page does not ask for the clock", gone, ok, 1, 100, off, none},
		{"an expired page while the clock is right", document.CauseExpired, ok, 1, 100, usual, none},
		{"an expired page on a bad host while the clock is off", document.CauseExpired, in(document.HostUnreachable), 1, 100, off, host},

		{"a missing page during a robots outage", missing, in(document.HostRobotsOutage), 1, 100, usual, host},
		{"a missing page on a collapsed sitemap", missing, in(document.HostSitemapCollapse), 1, 100, usual, host},
		{"a missing page on an unreachable host", missing, in(document.HostUnreachable), 1, 100, usual, host},
		{"a missing page on a host in a state of later days", missing, in("asleep"), 1, 100, usual, host},
		{"a missing page on a host that nobody judged", missing, document.Host{}, 1, 100, usual, host},
		{"a gone page on a bad host", gone, in(document.HostUnreachable), 1, 100, usual, none},
		{"a noindex page on a bad host", noindex, in(document.HostUnreachable), 1, 100, usual, host},
		{"a moved page on a bad host", moved, in(document.HostUnreachable), 1, 100, usual, none},
		{"a duplicate on a bad host", duplicate, in(document.HostUnreachable), 1, 100, usual, host},
		{"the host's brake comes first of all", missing, document.Host{State: document.HostUnreachable, Unread: 9, Asked: 9}, 50, 100, usual, host},
	} {
		d := &Due{Change: &document.Change{Op: document.Delete, Cause: test.cause}, Host: test.host}
		if got := Brakes(d, Totals{Documents: test.documents, Deletes: test.deletes}, test.limits).Brake; got != test.want {
			t.Errorf("%s: held by %q, want %q", test.name, got, test.want)
		}
	}
}

// Adds and updates go out whatever happens to deletes.
func TestBrakesHoldOnlyDeletes(t *testing.T) {
	for _, op := range []document.Op{document.Put, document.Patch, document.Queue} {
		d := &Due{Change: &document.Change{Op: op, Cause: document.CauseChanged}, Host: document.Host{State: document.HostUnreachable}}
		if got := Brakes(d, Totals{Documents: 10, Deletes: 10}, Limits{}).Brake; got != document.BrakeNone {
			t.Errorf("a %s is held by %q", op, got)
		}
	}
}

func TestClockOff(t *testing.T) {
	const day = 24 * 60 * 60
	for _, test := range []struct {
		name        string
		start, last int64
		want        bool
	}{
		{"the first run of all", 5, 0, false},
		{"the next night", 10*day + day, 10 * day, false},
		{"the same second", 10 * day, 10 * day, false},
		{"a second before the last run", 10*day - 1, 10 * day, true},
		{"a year before the last run", day, 366 * day, true},
		{"sixty days past it", 70 * day, 10 * day, false},
		{"a second more", 70*day + 1, 10 * day, true},
		{"ten years past it", 3660 * day, 10 * day, true},
	} {
		if got := ClockOff(test.start, test.last); got != test.want {
			t.Errorf("%s: off %v", test.name, got)
		}
	}
}

func TestCounts(t *testing.T) {
	for _, test := range []struct {
		op    document.Op
		cause document.Cause
		want  bool
	}{
		{document.Delete, document.CauseMissing, true},
		{document.Delete, document.CauseGone, true},
		{document.Delete, document.CauseNoIndex, true},
		{document.Delete, document.CauseRedirected, true},
		{document.Delete, document.CauseExpired, true},
		{document.Delete, document.CauseMoved, false},
		{document.Delete, document.CauseDuplicate, false},
		{document.Put, document.CauseNew, false},
		{document.Patch, document.CauseChanged, false},
	} {
		if got := (&Due{Change: &document.Change{Op: test.op, Cause: test.cause}}).Counts(); got != test.want {
			t.Errorf("%s for %s counts: %v", test.op, test.cause, got)
		}
	}
}
