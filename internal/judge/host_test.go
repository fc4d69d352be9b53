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
		walls     string // "G" a document behind a guard, "L" a login, "S" soft-404; lower case: not a document; "!": the start page
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
			w.Count(&document.Sighting{URL: fmt.Sprint("u", i), Why: string(letter), Interstitial: kind}, known, strings.HasPrefix(c.walls[i+1:], "!"))
		}
		got := HostState(document.Host{State: c.before, ReadOnly: c.before != ok}, w)
		if got.State != c.want || got.Reason != c.reason || got.ReadOnly != (c.want != ok) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}
