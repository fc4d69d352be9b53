package crawl

import (
	"strings"
	"testing"

	"sitesync/crawl/transport"
	"sitesync/internal/document"
	"sitesync/internal/testsite"
)

// newStaging returns a rig for a live site that stands on a staging host, as which
// the script's {S} is written. Nobody answers for the live site's name.
func newStaging(t *testing.T, script string) *rig {
	r := newRig(t, "")
	r.script(strings.ReplaceAll(script, "{S}", r.origin))
	r.opts.Start = []string{"https://www.live.example/"}
	r.opts.Via = map[string]string{"https://www.live.example": r.origin}
	r.origin = "https://www.live.example"
	return r
}

// TestVia: a staging host is asked in place of the live one, and every way of naming
// it is the live one's. What keeps crawlers out of it is told, and not obeyed.
func TestVia(t *testing.T) {
	r := newStaging(t, `
		set / Home|Welcome|{S}/a https://www.live.example/b c /moved http://live.example/x /secret/s /quiet.pdf
		set /a A|A|/deep {S}/a#top|<link rel="canonical" href="{S}/a"><meta name="robots" content="noindex, nofollow">
		set /b B|B||<link rel="alternate" hreflang="da" href="{S}/da"><link rel="canonical" href="{S}/a">
		set /c C|C|/never|<meta name="robots" content="nofollow">
		set /da DA|DA
		set /deep Deep|Deep
		redirect /moved {S}/b
		set /secret/s S|S
		set /listed L|L
		raw /quiet.pdf %PDF-1.7
		header /quiet.pdf X-Robots-Tag noindex
		redirect /map.xml {S}/maps/1.xml
		robots "User-agent: *\nDisallow: /\nAllow: /a\nCrawl-delay: 30\nSitemap: {S}/map.xml"
		auth * u p
	`)
	r.Set("/maps/1.xml", testsite.Page{Body: r.urls(r.Site.URL()+"/listed", "/b")})
	r.opts.Credentials = []transport.Credential{{Origin: r.Site.URL(), User: "u", Password: "p"}, {Origin: r.origin, User: "live", Password: "live"}}
	r.known["/da"] = document.Known{Document: true, Ask: true, Skip: true, Hints: document.Hints{ETag: `"x"`}}
	n := r.run()
	same(t, "seen", n.seen(), "/ read", "/a read", "/b read /a", "/c read", "/da read", "/deep read", "/listed read", "/moved moved /b", "/quiet.pdf read", "/secret/s read")
	if h := n.survey.Hosts; len(h) != 1 || h[0].Host != r.origin || h[0].State != document.HostOK || h[0].Sitemap != 2 || len(h[0].Folded) > 0 {
		t.Errorf("hosts: %+v", h)
	}
	var told []string
	for _, w := range n.survey.Warnings {
		told = append(told, w.Kind+" "+n.path(w.URL)+" "+w.Text)
	}
	same(t, "warnings", told,
		"via "+r.Site.URL()+"/robots.txt robots.txt of "+r.Site.URL()+" says Disallow: /, Crawl-delay: 30; not obeyed here, check it before launch",
		"via /a meta robots: noindex, nofollow; not obeyed here, check it before launch",
		"via /quiet.pdf X-Robots-Tag: noindex; not obeyed here, check it before launch")

	for night := range 2 { // whatever is known, every page is read
		r.remember(n)
		r.Reset()
		if n = r.run(); n.survey.Fetched != 10 || n.survey.NotModified+n.survey.SkippedByHint > 0 {
			t.Errorf("night %d: %+v", night, n.survey)
		}
		if req := r.Requests(); req[0].Host != strings.TrimPrefix(r.Site.URL(), "http://") {
			t.Errorf("asked for %s", req[0].Host)
		}
	}
}

func TestViaFaults(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"no start origin": {Options{Via: map[string]string{"https://live.test": "https://stage.test"}}, "site.via: https://live.test is no origin of site.start, which has https://www.a.test"},
		"crawled itself":  {Options{Via: map[string]string{"https://www.a.test": "https://files.test/"}, FileHosts: []string{"files.test"}}, "take it out of site.start"},
		"for two":         {Options{Start: []string{"https://b.test/"}, Via: map[string]string{"https://www.a.test": "https://s.test", "https://b.test": "https://s.test"}}, "both https://b.test and https://www.a.test"},
		"no origin":       {Options{Via: map[string]string{"https://www.a.test": "stage"}}, "read origin"},
		"a folder":        {Options{Folder: t.TempDir(), Via: map[string]string{"https://www.a.test": "https://s.test"}}, "remove one of the two"},
	} {
		c.o.Start = append(c.o.Start, "https://www.a.test/")
		_, err := New(c.o)
		if err == nil {
			t.Fatalf("%s: no error", name)
		}
		holds(t, name, err.Error(), c.want)
	}
}
