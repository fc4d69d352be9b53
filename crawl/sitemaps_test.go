package crawl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
	"sitesync/internal/warning"
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
		state   document.HostState // where nothing was listed before it is ok
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
			for i := range 5 {
				r.Set(fmt.Sprint("/maps/", i), testsite.Page{Body: r.index(fmt.Sprint("/maps/", i+1))})
			}
			r.Set("/maps/5", testsite.Page{Body: r.urls("/1")})
		}, 0, 4, collapsed, "too deeply nested"},
		"gzip under any name": {func(r *rig) {
			r.Robots("Sitemap: /maps/a.xml.gz\nSitemap: /maps/b")
			r.Set("/maps/a.xml.gz", testsite.Page{Body: testsite.Gzip(r.urls("/1"))})
			r.Set("/maps/b", testsite.Page{Body: testsite.Gzip(r.urls("/2")), Header: map[string]string{"Content-Type": "text/plain"}})
		}, 2, 2, ok, ""},
		"labelled with what is no coding": {func(r *rig) {
			r.Robots("Sitemap: /maps/a.xml\nSitemap: /maps/b.xml")
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1"), Header: map[string]string{"Content-Encoding": "utf-8"}})
			r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/2"), Header: map[string]string{"Content-Encoding": "gzip"}})
		}, 2, 2, ok, ""},
		"behind a redirect": {func(r *rig) {
			r.Redirect("/sitemap.xml", "/maps/a.xml", 301)
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, ok, ""},
		"foreign and odd addresses": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "https://elsewhere.test/1", "mailto:a@b.test", "/2#part")})
		}, 2, 2, ok, "its scheme is mailto"},
		"a page where one was guessed": {func(r *rig) { r.HTML("/sitemap.xml", "Not found", "<p>Sorry") }, 0, 4, collapsed, "not a sitemap"},
		"a page where one was named, and nothing is missing": {func(r *rig) {
			r.Robots("Sitemap: /maps/a.xml\nSitemap: /maps/b.xml")
			r.HTML("/maps/a.xml", "Not found", "<p>Sorry")
			r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, ok, "not a sitemap"},
		"missing where one was named": {func(r *rig) { r.Robots("Sitemap: /maps/a.xml") }, 0, 0, ok, "HTTP status 404"},
		"missing where an index named one": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.index("/maps/a.xml", "/maps/b.xml")})
			r.Set("/maps/b.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, ok, "HTTP status 404"},
		"a page where an index named one": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.index("/maps/a.xml")})
			r.HTML("/maps/a.xml", "Not found", "<p>Sorry")
		}, 0, 4, collapsed, "not a sitemap"},
		"missing and was there before": {func(*rig) {}, 0, 2, collapsed, ""},
		"too many requests":            {func(r *rig) { r.script("status /sitemap.xml 429") }, 0, 4, collapsed, "HTTP status 429"},
		"forbidden":                    {func(r *rig) { r.script("status /sitemap.xml 403") }, 0, 4, collapsed, forbidden},
		"broken off": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3")})
			r.Fault("/sitemap.xml", testsite.Reset(-1))
		}, 0, 4, collapsed, "the server broke the connection"},
		"cut": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3", "/4")})
			r.Fault("/sitemap.xml", testsite.Cut(len(r.urls("/1", "/2"))))
		}, 2, 3, collapsed, "body cut"},
		"an index that names 60,000 of the same": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: "<sitemapindex>" + strings.Repeat("<sitemap><loc>/maps/a.xml</loc></sitemap>", 49_999) + "<sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>", Header: plain})
			r.Set("/maps/a.xml", testsite.Page{Body: r.urls("/1")})
		}, 1, 1, ok, ""},
		"a bomb": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1")})
			r.script("bomb /sitemap.xml 2000000000")
		}, 0, 2, collapsed, "inflates more than 200 to 1"},
		"no HTTP":               {func(r *rig) { r.script(`answer /sitemap.xml "SSH-2.0\r\n"`) }, 0, 4, collapsed, "malformed HTTP"},
		"a loop of redirects":   {func(r *rig) { r.Redirect("/sitemap.xml", "/sitemap.xml", 302) }, 0, 4, collapsed, "HTTP status 302"},
		"a redirect to nowhere": {func(r *rig) { r.Redirect("/sitemap.xml", "http://[", 302) }, 0, 4, collapsed, "Location"},
		"malformed in the middle": {func(r *rig) {
			r.Set("/sitemap.xml", testsite.Page{Body: strings.Replace(r.urls("/1", "/2", "/3"), "</url>", "</ur>", 1)})
		}, 3, 3, ok, "</ur>"},
		"half of the last time":       {func(r *rig) { r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3")}) }, 3, 6, ok, ""},
		"under half of the last time": {func(r *rig) { r.Set("/sitemap.xml", testsite.Page{Body: r.urls("/1", "/2", "/3")}) }, 3, 7, collapsed, ""},
	} {
		check := func(t *testing.T) {
			r := newRig(t, "set / Home|Welcome")
			for i := range 9 {
				r.HTML(fmt.Sprint("/", i+1), "Page", "<p>Page</p>")
			}
			r.hosts[r.origin] = document.HostMemory{Sitemap: c.last}
			c.set(r)
			n := r.run()
			h := n.host()
			if h.Sitemap != c.listed || h.State != c.state || h.ReadOnly != (c.state != ok) || !h.Covered || (h.Reason == "") != (c.state == ok) {
				t.Errorf("listed %d, want %d; %+v", h.Sitemap, c.listed, h)
			}
			broken := strings.HasPrefix(h.Reason, "a sitemap can't be read: ") || c.last > 0 && strings.Contains(name, "nothing is missing")
			if h.Unlisted != (broken || strings.HasPrefix(name, "malformed")) || broken && c.warning == "" {
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
		t.Run(name, check)
		t.Run(name+", new", func(t *testing.T) {
			c.state, c.last = ok, 0
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

// TestLastmodOfTheBuild: a day that nearly all addresses share dates no document; it stays a hint.
func TestLastmodOfTheBuild(t *testing.T) {
	const one, later, own = "2026-08-18", "2026-08-18T09:30:05Z", "2026-03-02"
	for name, c := range map[string]struct {
		lastmods []string // of so many pages
		times    int
		last     string // of one page more
		dated    bool   // the first page is
		own      bool   // the last page is
	}{
		"one for all":              {[]string{one}, 30, one, false, false},
		"seconds apart":            {[]string{one, later}, 10, one, false, false},
		"all but one":              {[]string{one}, 20, own, false, true},
		"a small site":             {[]string{one}, 8, one, true, true},
		"a day that half share":    {[]string{one, own, "2025-01-07"}, 6, own, true, true},
		"six in seven":             {append([]string{"2025-01-07", "2025-01-08", "2025-01-09"}, slices.Repeat([]string{one}, 17)...), 1, one, true, true},
		"a minority without dates": {[]string{one, one, ""}, 6, one, false, false},
	} {
		r := newRig(t, "set / Home|Welcome\nset /0 A|A\nset /last B|B")
		entries := []testsite.Entry{{Loc: "/last", Lastmod: c.last}}
		for i := range c.times * len(c.lastmods) {
			entries = append(entries, testsite.Entry{Loc: fmt.Sprint("/", i), Lastmod: c.lastmods[i%len(c.lastmods)]})
		}
		r.Sitemap(entries...)
		n := r.run()
		first, last := n.pages["/0"], n.pages["/last"]
		dated, own := first.First.Lastmod != 0, last.First.Lastmod != 0
		if dated != c.dated || own != c.own || first.Hints.Lastmod == 0 || last.Hints.Lastmod == 0 {
			t.Errorf("%s: first %+v %+v, last %+v %+v", name, first.First, first.Hints, last.First, last.Hints)
		}
	}
}

// TestSitemapFiles: of one host 50,000 sitemap files are read.
func TestSitemapFiles(t *testing.T) {
	r := newRig(t, "")
	c := r.crawler()
	defer c.Close()
	for files, told := range map[int]bool{49_999: false, 50_000: true} {
		q := &queue{site: c.site, warnings: &warning.List{}}
		w := &sitemapWalk{client: c.client, queue: q, host: c.client.hosts.all[0], seen: map[string]bool{}}
		for n := range files {
			w.seen[strconv.Itoa(n)] = true
		}
		err := w.readFile(t.Context(), "/sitemap.xml", 0)
		if got := fmt.Sprint(q.warnings.All()); err != nil || strings.Contains(got, "too many") != told {
			t.Errorf("%d files: %v, %s", files, err, got)
		}
	}
}
