package crawl

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"sitesync/crawl/sitemap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/testsite"
)

// plain keeps the site from compressing a page, which would be refused as a bomb.
var plain = map[string]string{"Content-Encoding": "identity"}

// urls returns a sitemap of the given paths.
func (r *rig) urls(paths ...string) string {
	var b strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>\n", r.url(path))
	}
	return sitemapSet(b.String())
}

// index returns a sitemap index of the given paths.
func (r *rig) index(paths ...string) string {
	var b strings.Builder
	for _, path := range paths {
		fmt.Fprintf(&b, "<sitemap><loc>%s</loc></sitemap>\n", r.url(path))
	}
	return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + b.String() + `</sitemapindex>`
}

// TestSitemaps: what each arrangement of sitemaps leads to. The site has the pages
// /1 to /9, to which no link leads.
func TestSitemaps(t *testing.T) {
	const ok, collapsed, forbidden = document.HostOK, document.HostSitemapCollapse, "HTTP status 403"
	for name, c := range map[string]struct {
		set     func(*rig)
		listed  int
		last    int                // listed in the last run
		state   document.HostState // where all files listed something before; where none did, only a total can collapse
		warning string             // the only warning holds this; empty: nothing is warned of
	}{
		"none":    {func(*rig) {}, 0, 0, ok, ""},
		"guessed": {func(r *rig) { r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3", "/2")}) }, 3, 3, ok, ""},
		"named in robots.txt": {func(r *rig) {
			r.Robots("Sitemap: " + r.url("/maps/a.xml") + "\nSitemap: /maps/b.xml\nSitemap: http://[\nSitemap: /maps/a.xml")
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1")})
			r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/2")})
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/9")})
		}, 2, 2, ok, "http://["},
		"configured": {func(r *rig) {
			r.opts.AutoSitemaps, r.opts.Sitemaps = false, []string{r.url("/maps/a.xml")}
			r.Robots("Sitemap: /maps/b.xml")
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1")})
			r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/2")})
		}, 1, 1, ok, ""},
		"off": {func(r *rig) {
			r.opts.AutoSitemaps = false
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/9")})
		}, 0, 0, ok, ""},
		"an index in an index, with loops": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.index("/maps/i.xml", "/sitemap.xml")})
			r.Set("/maps/i.xml", testsite.Page{Body: r.index("/maps/a.xml", "/maps/b.txt", "/sitemap.xml", "/maps/i.xml")})
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1", "/2")})
			r.Set("/maps/b.txt", testsite.Page{Body: r.url("/3") + "\n" + r.url("/4") + "\n"})
		}, 4, 4, ok, ""},
		"too deep": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.index("/maps/1")})
			for i := range 9 {
				r.Set(fmt.Sprint("/maps/", i), testsite.Page{Body: r.index(fmt.Sprint("/maps/", i+1))})
			}
		}, 0, 0, collapsed, "too deeply nested"},
		"gzip under any name": {func(r *rig) {
			r.Robots("Sitemap: /maps/a.xml.gz\nSitemap: /maps/b")
			r.Set("/maps/a.xml.gz", testsite.Page{Body: testsite.Gzip(r.urls("/1"))})
			r.Set("/maps/b", testsite.Page{Body: testsite.Gzip(r.urls("/2")), Header: map[string]string{"Content-Type": "text/plain"}})
		}, 2, 2, ok, ""},
		"behind a redirect": {func(r *rig) {
			r.Redirect("/sitemap.xml", "/maps/a.xml", 301)
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, ok, ""},
		"foreign and odd addresses": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "https://elsewhere.test/1", "mailto:a@b.test", "/2#part")})
		}, 2, 2, ok, "its scheme is mailto"},
		"a page where one was guessed": {func(r *rig) { r.HTML("/sitemap.xml", "Not found", "<p>Sorry") }, 0, 0, collapsed, "not a sitemap"},
		"a page where one was named": {func(r *rig) {
			r.Robots("Sitemap: /maps/a.xml\nSitemap: /maps/b.xml")
			r.HTML("/maps/a.xml", "Not found", "<p>Sorry")
			r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, collapsed, "not a sitemap"},
		"missing where one was named": {func(r *rig) { r.Robots("Sitemap: /maps/a.xml") }, 0, 0, ok, "HTTP status 404"},
		"missing where an index named one": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.index("/maps/a.xml", "/maps/b.xml")})
			r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, ok, "HTTP status 404"},
		"a page where an index named one": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.index("/maps/a.xml")})
			r.HTML("/maps/a.xml", "Not found", "<p>Sorry")
		}, 0, 0, collapsed, "not a sitemap"},
		"missing and was there before": {func(*rig) {}, 0, 2, collapsed, ""},
		"too many requests":            {func(r *rig) { r.script("status /sitemap.xml 429") }, 0, 0, collapsed, "HTTP status 429"},
		"forbidden":                    {func(r *rig) { r.script("status /sitemap.xml 403") }, 0, 0, collapsed, forbidden},
		"broken off": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3")})
			r.Fault("/sitemap.xml", testsite.Reset(-1))
		}, 0, 0, collapsed, "the server broke the connection"},
		"cut": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3", "/4")})
			r.Fault("/sitemap.xml", testsite.Cut(len(r.urls("/1", "/2"))))
		}, 2, 2, collapsed, "body cut"},
		"cut brotli": {func(r *rig) {
			packed := testsite.Brotli(r.urls("/1", "/2", "/3", "/4"))
			r.Robots("Sitemap: /maps/a.xml")
			r.Set("/maps/a.xml", testsite.Page{Body: packed[:len(packed)-2], Header: map[string]string{"Content-Encoding": "br"}})
		}, 4, 0, collapsed, "brotli body cut"},
		"an index that names 60,000 of the same": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: "<sitemapindex>" + strings.Repeat("<sitemap><loc>/maps/a.xml</loc></sitemap>", 49_999) + "<sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>", Header: plain})
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, ok, ""},
		"a bomb": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1")})
			r.script("bomb /sitemap.xml 2000000000")
		}, 0, 2, collapsed, "inflates more than 200 to 1"},
		"no HTTP":               {func(r *rig) { r.script(`answer /sitemap.xml "SSH-2.0\r\n"`) }, 0, 0, collapsed, "malformed HTTP"},
		"a loop of redirects":   {func(r *rig) { r.Redirect("/sitemap.xml", "/sitemap.xml", 302) }, 0, 0, collapsed, "HTTP status 302"},
		"a redirect to nowhere": {func(r *rig) { r.Redirect("/sitemap.xml", "http://[", 302) }, 0, 0, collapsed, "Location"},
		"malformed in the middle": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: strings.Replace(r.urls("/1", "/2", "/3"), "</url>", "</ur>", 1)})
		}, 3, 3, ok, "</ur>"},
		"half of the last time":       {func(r *rig) { r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3")}) }, 3, 6, ok, ""},
		"under half of the last time": {func(r *rig) { r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3")}) }, 3, 7, collapsed, ""},
	} {
		check := func(t *testing.T, files ...string) {
			r := newRig(t, "set / Home|Welcome")
			for i := range 9 {
				r.HTML(fmt.Sprint("/", i+1), "Page", "<p>Page</p>")
			}
			memory := document.HostMemory{Sitemap: c.last, Files: map[uint64]int{}}
			for _, path := range files {
				memory.Files[spool.Fingerprint(r.url(path))] = 4
			}
			r.hosts[r.origin] = memory
			c.set(r)
			n := r.run()
			h := n.host()
			if h.Sitemap != c.listed || h.State != c.state || h.ReadOnly != (c.state != ok) || !h.Covered || (h.Reason == "") != (c.state == ok) {
				t.Errorf("listed %d, want %d; %+v", h.Sitemap, c.listed, h)
			}
			if strings.HasPrefix(name, "malformed") != (h.Unlisted && h.State == ok) {
				t.Errorf("%+v, though the sitemaps were %s", h, name)
			}
			for i := range c.listed {
				if p := n.pages[fmt.Sprint("/", i+1)]; p.Seen != document.Read || !p.InSitemap {
					t.Errorf("/%d: %s, in sitemap %v", i+1, p.Seen, p.InSitemap)
				}
			}
			if len(n.pages) != c.listed+1 {
				t.Errorf("pages: %q", n.seen())
			}
			switch w := n.survey.Warnings; {
			case c.warning == "" && len(w) == 0:
			case c.warning == "" || len(w) != 1:
				t.Errorf("warnings: %+v", w)
			default:
				holds(t, "warning", w[0].Text, c.warning)
			}
			for path, times := range r.Counts() {
				if strings.HasPrefix(path, "/maps/") && times > 1 {
					t.Errorf("%s was asked for %d times", path, times)
				}
			}
		}
		t.Run(name, func(t *testing.T) {
			check(t, "/sitemap.xml", "/maps/a.xml", "/maps/b.xml", "/maps/a.gz", "/maps/5", "/a.xml")
		})
		t.Run(name+", new", func(t *testing.T) {
			c.state = ok
			if 2*c.listed < c.last {
				c.state = collapsed
			}
			if c.warning == forbidden { // nobody named the file, and it never was there
				c.warning = ""
			}
			check(t)
		})
	}
}

// TestSitemapsOfTwoHosts: a sitemap may list the URLs of another host of the site,
// which count for that one; where two hosts name the same file, it is read once.
func TestSitemapsOfTwoHosts(t *testing.T) {
	r, other := newRig(t, "set / Home|Welcome\nset /1 1|One"), newRig(t, "set / Other|Welcome\nset /2 2|Two\nset /3 3|Three")
	r.opts.Start = append(r.opts.Start, other.origin+"/")
	r.Robots("Sitemap: /map.xml")
	other.Robots("Sitemap: " + r.url("/map.xml"))
	r.Set("/map.xml", testsite.Page{Body: r.urls("/1", other.origin+"/2", other.origin+"/3"), Unlisted: true})
	r.hosts[other.origin] = document.HostMemory{Sitemap: 4}
	n := r.run()
	if a, b := n.survey.Hosts[0], n.survey.Hosts[1]; a.Sitemap != 1 || b.Sitemap != 2 || a.State != document.HostOK || b.State != document.HostOK || r.Count("/map.xml") != 1 {
		t.Errorf("%+v, %+v", a, b)
	}
	same(t, "seen", n.seen(), "/ read", "/1 read", other.origin+"/ read", other.origin+"/2 read", other.origin+"/3 read")
	r.hosts[other.origin] = document.HostMemory{Sitemap: 5}
	if n = r.run(); n.survey.Hosts[1].State != document.HostSitemapCollapse || n.survey.Hosts[0].State != document.HostOK {
		t.Errorf("%+v", n.survey.Hosts)
	}
}

func sitemapSet(entries string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + entries + `</urlset>`
}

// TestDeadSitemaps: how much is remembered of a file that listed something once, and is
// broken from then on.
func TestDeadSitemaps(t *testing.T) {
	r := newRig(t, "set / Home|Welcome\nset /1 1|One\nset /2 2|Two\nset /3 3|Three")
	r.Robots("Sitemap: /all.xml\nSitemap: /dead.xml")
	r.Set("/all.xml", testsite.Page{Body: r.index("/maps/a.xml", "/maps/b.xml")})
	r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1", "/2")})
	r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/3")})
	r.script("status /dead.xml 500")
	night := func(what string, state document.HostState, files ...any) {
		t.Helper()
		h := r.run().host()
		want := map[uint64]int{}
		for i := 0; i < len(files); i += 2 {
			want[spool.Fingerprint(r.url(files[i].(string)))] = files[i+1].(int)
		}
		if h.State != state || !maps.Equal(h.Files, want) {
			t.Errorf("%s: %s, %s, files %v, want %v", what, h.State, h.Reason, h.Files, want)
		}
		r.hosts[r.origin] = document.HostMemory{Files: h.Files}
	}
	const ok, collapsed = document.HostOK, document.HostSitemapCollapse
	night("one of them is dead from the first day", ok, "/all.xml", 2, "/maps/a.xml", 2, "/maps/b.xml", 1)
	r.script("status /maps/a.xml 500")
	night("a file dies", collapsed, "/all.xml", 2, "/maps/a.xml", 1, "/maps/b.xml", 1)
	r.script("status /all.xml 503")
	night("so does the index, which hides the others", collapsed, "/all.xml", 1, "/maps/a.xml", 1, "/maps/b.xml", 1)
	r.script("heal /all.xml")
	night("the index is back", collapsed, "/all.xml", 2, "/maps/b.xml", 1)
	night("the file is believed to be dead", ok, "/all.xml", 2, "/maps/b.xml", 1)
	r.script("heal /maps/a.xml")
	night("it is back", ok, "/all.xml", 2, "/maps/a.xml", 2, "/maps/b.xml", 1)
	r.Set("/all.xml", testsite.Page{Body: r.index("/maps/a.xml")})
	night("one is listed no more", ok, "/all.xml", 1, "/maps/a.xml", 2)
	r.Set("/maps/a.xml", testsite.Page{Body: sitemapSet("")})
	night("the other one is empty", ok, "/all.xml", 1, "/maps/a.xml", 1)
	night("for good", ok, "/all.xml", 1)

	full := map[uint64]int{}
	for i := range uint64(sitemap.MaxFiles) {
		full[i] = 1
	}
	r.hosts[r.origin] = document.HostMemory{Files: full}
	r.script("status /maps/a.xml 500")
	if h := r.run().host(); h.State != collapsed || len(h.Files) != sitemap.MaxFiles {
		t.Errorf("more files than are remembered: %s, %d files", h.State, len(h.Files))
	}
}
