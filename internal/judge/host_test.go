package judge

import (
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestHostState: a guarded start page, or most documents astray, make a host bad; what the
// crawl found itself stays.
func TestHostState(t *testing.T) {
	const ok, ill, guarded, collapsed = document.HostOK, document.HostIll, document.HostGuarded, document.HostSitemapCollapse
	for _, c := range []struct {
		name   string
		before document.HostState
		start  document.Interstitial // what stands in place of the start page
		shows  Astray
		astray int // of 10 documents
		want   document.HostState
		reason string
	}{
		{"all is well", ok, "", NotAstray, 0, ok, ""},
		{"half is missing", ok, "", AstrayMissing, 5, ok, ""},
		{"more than half", ok, "", AstrayMissing, 6, ill, "6 of 10 documents of https://a.test/: 6 not there; more than half; look at what the pages show now"},
		{"more than half behind a login", ok, "", AstrayGuarded, 6, guarded, "6 of 10 documents of https://a.test/: 6 behind a login or a guard; more than half; give the crawl access ([[fetch.auth]], fetch.cookies), or open the pages to it"},
		{"a start page behind a login", ok, document.LoginWall, AstrayGuarded, 1, guarded, "https://a.test/: why; give the crawl access ([[fetch.auth]], fetch.cookies), or open the pages to it"},
		{"a start page like what is not there", ok, document.Soft404, AstrayMissing, 1, ok, ""},
		{"a collapsed sitemap", collapsed, "", AstrayMissing, 5, collapsed, ""},
		{"a collapsed sitemap, and most are astray", collapsed, "", AstrayStranger, 6, ill, "6 of 10 documents of https://a.test/: 6 with another text; more than half; look at what the pages show now"},
		{"a collapsed sitemap, and most are missing", collapsed, "", AstrayMissing, 6, collapsed, ""},
		{"most are excluded by the owner", ok, "", AstrayExcluded, 9, ok, ""},
		{"most lead elsewhere", ok, "", AstrayAway, 9, ill, "9 of 10 documents of https://a.test/: 9 redirected elsewhere; more than half; if the pages have moved for good, have the server answer 301 in place of 302, and let site.start name where they are now"},
		{"a robots.txt that can't be had", document.HostRobotsOutage, "", AstrayMissing, 9, document.HostRobotsOutage, ""},
		{"a robots.txt that can't be had, and a guard", document.HostRobotsOutage, document.BotGuard, AstrayGuarded, 1, guarded, "https://a.test/: why; let this machine's address or user agent through at the guard"},
		{"given up", document.HostUnreachable, document.LoginWall, AstrayGuarded, 9, document.HostUnreachable, ""},
	} {
		w, at := &Looks{Documents: 10, hidden: c.astray}, placeOf("https://a.test/", true, 10, c.shows, c.astray)
		if c.want == guarded {
			w.Count(&Facts{Sighting: &document.Sighting{Seen: document.Unread, Interstitial: document.LoginWall}}, &Verdict{}, false, false)
		}
		if c.start != "" {
			seen := &document.Sighting{URL: "https://a.test/", Why: "why", Seen: document.Unread, Interstitial: c.start}
			w.Count(&Facts{Sighting: seen}, &Verdict{}, true, false)
		}
		got := HostState(document.Host{State: c.before, ReadOnly: c.before != ok}, w, &at, Limits{Max: 10, MaxShare: 0.1, MaxAbsolute: 500})
		if got.State != c.want || got.Reason != c.reason || got.ReadOnly != (c.want != ok) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestHidden: a collapsed sitemap is trouble while nothing else leads to what it listed.
func TestHidden(t *testing.T) {
	at := placeOf("https://a.test/", true, 10, NotAstray, 0)
	for hidden, want := range []document.HostState{document.HostOK, document.HostSitemapCollapse} {
		before := document.Host{State: document.HostSitemapCollapse, Reason: "why", ReadOnly: true}
		if got := HostState(before, &Looks{Documents: 10, hidden: hidden}, &at, Limits{}); got.State != want || (got.Reason == "") != (hidden == 0) {
			t.Errorf("%d hidden: %+v", hidden, got)
		}
	}
}

// TestAlarms: a start page that leads away or is missing, 1 % of the documents unseen since
// tonight, or many that wait for a second miss, raise an alarm.
func TestAlarms(t *testing.T) {
	for _, c := range []struct {
		name      string
		documents int
		unseen    string // "E" a document elsewhere since tonight, "e" since earlier, "w" waiting, "l" a lost start page, "a" one that leads away
		alarms    int
	}{
		{"all seen", 100, "", 0},
		{"one of a hundred", 100, "E", 0},
		{"two of a hundred", 100, "EE", 1},
		{"two of a hundred for some nights", 100, "ee", 0},
		{"half of ten for some nights", 10, "eeeee", 0},
		{"more than half", 10, "EEEEEE", 1},
		{"a start page that leads away", 0, "a", 1},
		{"two of ten wait", 10, "ww", 0},
		{"more than a quarter of ten wait", 10, "www", 1},
		{"a start page is missing", 100, "l", 1},
		{"eleven of 109 wait", 109, strings.Repeat("w", 11), 1},
		{"eleven of 110 wait", 110, strings.Repeat("w", 11), 0},
	} {
		w := &Looks{Documents: c.documents}
		for _, letter := range c.unseen {
			shows := &document.Sighting{URL: "https://a.test/", Seen: document.Elsewhere, Target: "https://b.test/"}
			if letter == 'l' {
				shows.Seen = document.Missing
			}
			verdict := &Verdict{Unseen: letter == 'e' || letter == 'E', Newly: letter == 'E', Waiting: letter == 'w'}
			w.Count(&Facts{Sighting: shows}, verdict, letter == 'a' || letter == 'l', false)
		}
		got := HostState(document.Host{State: document.HostOK}, w, &Place{}, Limits{Max: 10, MaxShare: 0.1, MaxAbsolute: 500})
		if got.State != document.HostOK || len(got.Alarms) != c.alarms {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
