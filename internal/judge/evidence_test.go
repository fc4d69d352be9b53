package judge

import (
	"strings"
	"testing"

	"sitesync/internal/document"
)

// The evidence of a delete, word by word, for each cause there is.
func TestEvidence(t *testing.T) {
	dated := func(r *document.Record) { r.Date = "2019/05/05" }
	looks := func(all ...document.Look) recordEdit {
		return func(r *document.Record) { r.Looks, r.Misses = all, len(all) }
	}
	target := func(s *document.Sighting) { s.Target = other }
	via := func(t Target) Target { t.Chain = "308 to https://a.example/m, 301 to " + other; return t }
	all := Policy{Confirm: 1, OutOfScope: true, Orphans: true, MovedAway: true}
	for _, test := range []struct {
		name  string
		facts Facts
		cause document.Cause
		want  string
	}{
		{"gone", Facts{Record: acked(), Sighting: saw(document.Gone)}, "gone", "410 in run r9"},
		{"gone, but listed", Facts{Record: acked(), Sighting: saw(document.Gone, inSitemap)}, "gone", "410 in run r9; still in the sitemap"},
		{"gone, its content elsewhere", Facts{Record: acked(), Sighting: saw(document.Gone), Target: live()}, "moved", "410 in run r9; its very content stands at " + other + " now"},

		{"missing", Facts{Record: acked(), Sighting: saw(document.Missing)}, "missing", "404 in runs r9"},
		{"missing in several runs", Facts{Record: acked(looks(document.Look{Run: "r6", Seen: document.Missing, Status: 404}, document.Look{Run: "r7", Seen: document.Missing, Status: 404})), Sighting: saw(document.Missing, inSitemap)},
			"missing", "404 in runs r6, r7, r9; still in the sitemap"},
		{"a run that could not read the page does not count", Facts{Record: acked(misses(1), looked(document.Missing, document.Unread)), Sighting: saw(document.Missing)}, "missing", "404 in runs r1, r9"},
		{"nor is a miss before the page was read", Facts{Record: acked(looked(document.Missing)), Sighting: saw(document.Missing)}, "missing", "404 in runs r9"},
		{"missing, its content elsewhere", Facts{Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Missing), Target: live()}, "moved", "404 in runs r1, r9; its very content stands at " + other + " now"},
		{"by the print", Facts{Record: acked(looks(document.Look{Run: "r7", Seen: document.Missing, Status: 200, Why: document.WhySoft404})), Sighting: saw(document.Missing, likeNotFound)}, "soft-404", "the host's not-found page in runs r7, r9"},
		{"by a redirect that leads to nothing", Facts{Record: acked(looks(document.Look{Run: "r7", Seen: document.Missing, Status: 301, Why: "redirects to " + other + ", which is not there"})), Sighting: saw(document.Moved), Target: ends(TargetDead)},
			"missing", "redirects to " + other + ", which is not there in runs r7, r9"},
		{"by the print, then by the status", Facts{Record: acked(looks(document.Look{Run: "r7", Seen: document.Missing, Status: 200, Why: document.WhySoft404})), Sighting: saw(document.Missing)}, "missing", "the host's not-found page in runs r7, 404 in runs r9"},

		{"moved", Facts{Record: acked(), Sighting: saw(document.Moved, status(308)), Target: sole()}, "moved", "308 in run r9 to " + other},
		{"moved by the page itself", Facts{Record: acked(), Sighting: saw(document.Moved, status(200)), Target: sole()}, "moved", "client redirect in run r9 to " + other},
		{"redirected by the page itself", Facts{Record: acked(looks(document.Look{Run: "r7", Seen: document.Moved, Status: 200, Why: other}), misses(1)), Sighting: saw(document.Moved, status(200)), Target: live()}, "redirected", "client redirect in runs r7, r9 to " + other},
		{"by a page that leads to nothing by itself", Facts{Record: acked(looks(document.Look{Run: "r7", Seen: document.Missing, Status: 200, Why: "redirects to " + other + ", which is not there"})), Sighting: saw(document.Moved, status(200)), Target: ends(TargetDead)},
			"missing", "redirects to " + other + ", which is not there in runs r7, r9"},
		{"moved by a chain", Facts{Record: acked(), Sighting: saw(document.Moved, func(s *document.Sighting) { s.Target = "https://a.example/k" }), Target: via(alike())},
			"moved", "301 in run r9 to https://a.example/k, 308 to https://a.example/m, 301 to " + other},
		{"an address that the rules write anew has no status", Facts{Record: acked(), Sighting: saw(document.Moved, status(0), why("today's rules write this address differently")), Target: sole()},
			"moved", "today's rules write this address differently, in run r9, to " + other},
		{"redirected with others", Facts{Record: acked(misses(1), looked(document.Moved)), Sighting: saw(document.Moved, inSitemap), Target: live()}, "redirected", "301 in runs r1, r9 to " + other + "; still in the sitemap"},
		{"redirected to what is not to be indexed", Facts{Record: acked(stood(document.LedOut, 2, start-halfDay), looked(document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetHidden)}, "redirected", "301 in runs r1, r1, r9 to " + other + ", which is not to be indexed"},
		{"redirected away", Facts{Record: acked(looked(document.Moved, document.Moved)), Sighting: saw(document.Moved), Target: ends(TargetForeign)}, "redirected", "301 in runs r1, r1, r9 to " + other + ", which is out of scope"},

		{"redirected to nowhere", Facts{Record: acked(looked(document.Moved, document.Moved)), Sighting: saw(document.Moved, func(s *document.Sighting) { s.Target = "" }), Target: Target{State: TargetForeign}}, "redirected", "301 in runs r1, r1, r9 to no usable address, which is out of scope"},

		{"noindex", Facts{Record: acked(), Sighting: saw(document.NoIndex, why(`X-Robots-Tag: noindex`))}, "noindex", "X-Robots-Tag: noindex, in run r9"},
		{"a directive of several lines takes one", Facts{Record: acked(), Sighting: saw(document.NoIndex, why("meta robots:\n\tnoindex"))}, "noindex", "meta robots: noindex, in run r9"},
		{"canonical", Facts{Record: acked(), Sighting: saw(document.Kept, naming(other), why("rel=canonical")), Target: alike()}, "duplicate", "at least half of its text stands at " + other + " (rel=canonical, in run r9)"},
		{"canonical of a canonical", Facts{Record: acked(), Sighting: saw(document.Kept, naming("https://a.example/c"), why("rel=canonical")), Target: func() Target { a := alike(); a.Chain = "folded into " + other; return a }()},
			"duplicate", "at least half of its text stands at " + other + " (rel=canonical to https://a.example/c, folded into " + other + ", in run r9)"},

		{"out of scope", Facts{Record: acked(), Sighting: saw(document.OutOfScope)}, "out-of-scope", "site.exclude /p"},
		{"robots", Facts{Record: acked(), Sighting: saw(document.Disallowed, inSitemap)}, "robots", "robots.txt: Disallow: /p, in run r9; still in the sitemap"},
		{"orphan", Facts{Record: acked(), Sighting: saw(document.Read, same), HostFull: true}, "orphan", "read in run r9, as every page of the host: no page links to it, and no sitemap lists it"},
		{"expired", Facts{Record: acked(dated), Sighting: saw(document.Kept), Expired: "dated before 2020/01/01"}, "expired", "dated 2019/05/05: dated before 2020/01/01"},
		{"expired by the date that was read", Facts{Record: acked(dated), Sighting: saw(document.Read), Content: text(func(c *Content) { c.Date = "2018/01/01" }), Expired: "dated before 2020/01/01"}, "expired", "dated 2018/01/01: dated before 2020/01/01"},
	} {
		test.facts.URL = page
		c := Judge(test.facts, tonight(all)).Change
		if c == nil || c.Op != document.Delete || c.Cause != test.cause || c.Evidence != test.want {
			t.Errorf("%s:\ngot  %+v\nwant %s: %s", test.name, c, test.cause, test.want)
		}
	}
	now := tonight(all)
	now.Run = "" // as explain looks
	if c := Judge(Facts{URL: page, Record: acked(misses(1), looked(document.Missing)), Sighting: saw(document.Missing, target)}, now).Change; !strings.HasPrefix(c.Evidence, "404 in runs r1 and now") {
		t.Errorf("of this moment: %q", c.Evidence)
	}
}
