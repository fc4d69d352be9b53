package judge

import (
	"fmt"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestHostState: a start page, or a fifth of the known documents, makes a host bad;
// one page alone does not, and what the crawl found itself stays.
func TestHostState(t *testing.T) {
	const (
		ok    = document.HostOK
		guard = document.HostBotGuard
		login = document.HostLoginWall
		soft  = document.HostSoft404
	)
	for _, c := range []struct {
		name      string
		before    document.HostState
		documents int
		walls     string // "G" a document behind a guard, "L" a login, "S" soft-404; lower case: not a document; "!": the start page, "?": the same, read all the same
		want      document.HostState
		reason    string
	}{
		{"no wall", ok, 10, "", ok, ""},
		{"one of three", ok, 3, "S", ok, ""},
		{"two of ten", ok, 10, "SS", soft, "u0: S; so with 2 of 10 known documents"},
		{"two of eleven", ok, 11, "SS", ok, ""},
		{"all", ok, 2, "GG", guard, "u0: G; so with 2 of 2 known documents"},
		{"a start page", ok, 100, "S!", soft, "u0: S; so with 1 of 100 known documents"},
		{"a start page that is no document", ok, 100, "Gg!", guard, "u1: g; so with 1 of 100 known documents"},
		{"pages that are no documents", ok, 10, "gggggggg", ok, ""},
		{"kinds that are a fifth together", ok, 10, "GLL", login, "u1: L; so with 2 of 10 known documents"},
		{"the start page counts first", ok, 10, "LLLL" + "S!", soft, "u4: S; so with 1 of 10 known documents"},
		{"of two as frequent the guard", ok, 10, "LGLG", guard, "u1: G; so with 2 of 10 known documents"},
		{"a start page that is read", ok, 100, "S?", ok, ""},
		{"two start pages that are read", ok, 4, "S?S?", ok, ""},
		{"a start page that is read, and a fifth", ok, 10, "S?S", soft, "u2: S; so with 2 of 10 known documents"},
		{"on a collapsed sitemap", document.HostSitemapCollapse, 10, "LL", login, "u0: L; so with 2 of 10 known documents"},
		{"on a collapsed sitemap alone", document.HostSitemapCollapse, 10, "L", document.HostSitemapCollapse, ""},
		{"on a host that was given up", document.HostUnreachable, 10, "LLLL", document.HostUnreachable, ""},
		{"no document was looked at", ok, 0, "", ok, ""},
	} {
		w := &Interstitials{Documents: c.documents}
		kinds := map[rune]document.HostState{'G': guard, 'L': login, 'S': soft}
		for i, letter := range c.walls {
			kind, known := kinds[letter]
			if !known {
				kind = kinds[[]rune(strings.ToUpper(string(letter)))[0]]
			}
			seen := document.Missing
			if strings.HasPrefix(c.walls[i+1:], "?") {
				seen = document.Read
			}
			start := strings.HasPrefix(c.walls[i+1:], "!") || seen == document.Read
			w.Count(&document.Sighting{URL: fmt.Sprint("u", i), Why: string(letter), Seen: seen, Interstitial: kind}, known, start)
		}
		got := HostState(document.Host{State: c.before, ReadOnly: c.before != ok}, w, Limits{Max: 10, MaxShare: 0.1, MaxAbsolute: 500})
		if got.State != c.want || got.Reason != c.reason || got.ReadOnly != (c.want != ok) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestBlindHost: a start page that leads away, or more than half of the documents unseen,
// make a host bad; 1 % of them since tonight, or many that wait for a second miss, raise
// an alarm.
func TestBlindHost(t *testing.T) {
	for _, c := range []struct {
		name      string
		documents int
		unseen    string // "E" a document elsewhere since tonight, "e" since earlier, "U" and "u" unhealthy, "M" mistaken, "w" waiting, "l" a lost start page
		away      bool
		want      document.HostState
		alarms    int
	}{
		{"all seen", 100, "", false, document.HostOK, 0},
		{"one of a hundred", 100, "E", false, document.HostOK, 0},
		{"two of a hundred", 100, "EU", false, document.HostOK, 1},
		{"two of a hundred for some nights", 100, "eu", false, document.HostOK, 0},
		{"two canonicals by mistake", 100, "MM", false, document.HostOK, 1},
		{"half of ten for some nights", 10, "eeeee", false, document.HostOK, 0},
		{"more than half", 10, "eeeeee", false, document.HostElsewhere, 0},
		{"more than half unhealthy", 10, "UUUUUU", false, document.HostUnhealthy, 1},
		{"more than half mistaken", 10, "MMMMMM", false, document.HostOK, 1},
		{"a start page that leads away", 0, "", true, document.HostElsewhere, 0},
		{"two of ten wait", 10, "ww", false, document.HostOK, 0},
		{"more than a quarter of ten wait", 10, "www", false, document.HostOK, 1},
		{"a start page is missing", 100, "l", false, document.HostOK, 1},
		{"eleven of 109 wait", 109, strings.Repeat("w", 11), false, document.HostOK, 1},
		{"eleven of 110 wait", 110, strings.Repeat("w", 11), false, document.HostOK, 0},
	} {
		w := &Interstitials{Documents: c.documents}
		kinds := map[string]Unseen{"E": SeenElsewhere, "U": SeenUnhealthy, "M": SeenMisleading}
		for _, letter := range strings.Split(c.unseen, "") {
			unseen := kinds[strings.ToUpper(letter)]
			w.Judged(&Verdict{Blind: Blind{unseen, unseen != Seen && letter != strings.ToLower(letter)}, Waiting: letter == "w"}, "u", "why")
		}
		if strings.Contains(c.unseen, "l") {
			w.Lost("https://a.test/")
		}
		if c.away {
			w.Away("https://a.test/", "https://b.test/")
		}
		got := HostState(document.Host{State: document.HostOK}, w, Limits{Max: 10, MaxShare: 0.1, MaxAbsolute: 500})
		if got.State != c.want || len(got.Alarms) != c.alarms || got.ReadOnly != (c.want != document.HostOK) || got.ReadOnly && (got.Reason == "" || Advice(got.State) == "") {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
