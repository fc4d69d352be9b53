package crawl

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
	"sitesync/internal/testsite"
	"sitesync/internal/weburl"
)

// around is what all pages of a site have around their own text.
func around(title, text string) string {
	return "<title>" + title + "</title><header>Town of A <a href=/>Home</a> <a href=/news>News from the council</a> Search the site</header><main>" + text +
		"</main><footer>" + strings.Repeat("Open on weekdays from nine to four, Harbour street. Write or call us. ", 20) + "</footer>"
}

// TestPrint: the host's answer for pages that do not exist is known again, however
// it varies, and no other page is taken for it.
func TestPrint(t *testing.T) {
	const lost = "<h1>Page not found</h1><p>There is nothing at this address, or no longer.</p>"
	plain := func(string) string { return around("Page not found", lost) }
	echo := func(path string) string {
		return around("Not found: "+path, "<h1>We have no "+path+" here</h1><p>It may have moved. Try another word than "+strings.NewReplacer("/", " ", "-", " ").Replace(path)+".</p>")
	}
	dated := func(path string) string {
		return around("Page not found", lost+fmt.Sprintf("<p>Visitor %d, on 4 March, ray x%x</p>", 1000+7*len(path), 77777*len(path)))
	}
	shell := func(string) string { return "<title>A</title><div id=app></div><script>start()</script>" }
	bare := func(string) string { return "Not found" }
	news := func(path string) string {
		return around("Page not found", lost+"<ul>"+strings.Repeat("<li>Read about "+path+"x"+path+" and more news of it "+fmt.Sprintf("w%dz", len(path))+"</li>", 20))
	}
	for _, c := range []struct {
		what   string
		answer func(path string) string
		path   string
		page   string // empty: the answer itself
		want   bool
	}{
		{"the same page", plain, "/a", "", true},
		{"the same page at words of its text", plain, "/page/not-found/nothing.html", "", true},
		{"one word that changes", plain, "/a", around("Page not found", strings.Replace(lost, "longer", "more", 1)), true},
		{"an address that is repeated", echo, "/news/2024/the-council-meets?page=3", "", true},
		{"an address with other letters", echo, "/%C3%BCber-uns/", strings.ReplaceAll(echo("/über-uns/"), "%C3%BC", "ü"), true},
		{"dates, counters and the like", dated, "/some/longer/path.html", "", true},
		{"an empty shell", shell, "/any", "", true},
		{"two words", bare, "/any", "", true},
		{"another short page", plain, "/hours", around("Hours", "<h1>Hours</h1><p>Nine to four.</p>"), false},
		{"another short page of the same title", plain, "/hours", around("Page not found", "<h1>Hours</h1><p>Nine to four.</p>"), false},
		{"a short page that says more", plain, "/a", around("Page not found", lost+"<p>Our page of lost pages lists them all, by year.</p>"), false},
		{"a page without text of its own", plain, "/news", around("Page not found", ""), false},
		{"another page where addresses are repeated", echo, "/hours", around("Not found: /hours", "<h1>Hours</h1><p>Nine to four, on Fridays to two.</p>"), false},
		{"a page with text where the shell has none", shell, "/a", "<title>A</title><p>Ants live here and so do bees.</p>", false},
		{"another title", shell, "/a", "<title>B</title><div id=app></div>", false},
		{"a page that is about pages not found", bare, "/a", "<h1>Not found</h1><p>What to do about it: a guide for owners.</p>", false},
		{"answers that have little in common", news, "/hours", "", false},
	} {
		const one, two = "https://a.test/nosuchpagex7q", "https://a.test/nosuchpagex7q/k3w.html"
		print := newNotFound(one, tree(t, c.answer(weburl.Target(one))), two, tree(t, c.answer(weburl.Target(two))))
		if c.page == "" {
			c.page = c.answer(c.path)
		}
		if got := print.matches("https://a.test"+c.path, tree(t, c.page)); got != c.want {
			t.Errorf("%s: %t", c.what, got)
		}
	}
}

func tree(t *testing.T, page string) *html.Node {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// TestProbe: what a host answers to a page that can't exist decides what a page of
// that look is, known or new; robots.txt is obeyed, and a folder is not asked.
func TestProbe(t *testing.T) {
	const site = "set / Home|Welcome|/a /new\nset /a A|About ants\n"
	for name, c := range map[string]struct {
		script string
		want   []string
		probes int
	}{
		"404":                {"", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
		"200":                {"soft404 on", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
		"forbidden":          {"soft404 on\nrobots \"User-agent: *\\nDisallow: /nosuchpage\"", []string{"/ read", "/a read", "/b read", "/new read"}, 0},
		"a wall is no print": {"stand /nosuch* parked", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
		"start page too":     {"soft404 on\nremove /", []string{"/ missing", "/a read", "/b missing"}, 2},
		"an error":           {"status /nosuch* 500", []string{"/ read", "/a read", "/b missing", "/new missing"}, 2},
	} {
		r := newRig(t, site+c.script)
		r.known = map[string]document.Known{"/": {Document: true}, "/a": {Document: true}, "/b": {Document: true}}
		n := r.run()
		probes := 0
		for path, count := range r.Counts() {
			if isProbe(path) {
				probes += count
			}
		}
		if probes != c.probes {
			t.Errorf("%s: %d probes", name, probes)
		}
		same(t, name, n.seen(), c.want...)
		if n.host().State != document.HostOK {
			t.Errorf("%s: %+v", name, n.host())
		}
	}
}

// TestProbeAtTheEnd: a host that begins to answer 200 while it is crawled is not ok,
// and its answer is handed on.
func TestProbeAtTheEnd(t *testing.T) {
	r := newRig(t, "set / Home|Welcome|/a\nset /a A|About ants")
	r.known["/gone"] = document.Known{Document: true}
	r.hook = func(_ *night, p *document.Page) error {
		r.Soft404(strings.HasSuffix(p.URL, "/a") || p.Seen == document.Missing)
		return nil
	}
	n := r.run()
	if h := n.host(); h.State != document.HostSoft404 || h.Lost == nil || !h.Covered {
		t.Errorf("%+v", h)
	}
	if p := n.pages["/gone"]; p.Seen != document.Missing || p.Status != 200 || p.Why != document.WhySoft404 {
		t.Errorf("%+v", p)
	}
}

// TestWalledPages: what stands in place of a page is unread and leads nowhere, and a
// host that is given up for it says so.
func TestWalledPages(t *testing.T) {
	for kind, want := range map[string]document.HostState{
		"bot-guard": document.HostBotGuard, "login-wall": document.HostLoginWall, "maintenance": document.HostMaintenance, "parked": document.HostParked,
	} {
		r := newRig(t, "stand /p/* "+kind)
		var links []string
		for i := range 40 {
			links = append(links, fmt.Sprintf("/p/%d", i))
		}
		r.HTML("/", "Home", "", links...)
		r.opts.Concurrency = 1
		n := r.run()
		if h := n.host(); h.State != want || h.Covered || h.Unread != 20 || len(n.pages) != 21 {
			t.Errorf("%s: %+v", kind, h)
		}
		if p := n.pages["/p/0"]; p.Seen != document.Unread || p.Interstitial != want {
			t.Errorf("%s: %+v", kind, p)
		}
	}
	r := newRig(t, "set / Home|Welcome|/a\nredirect /a /login 302\nset /login Log in|x\nredirect /b /login 301")
	r.known["/b"] = document.Known{Document: true}
	same(t, "login redirects", r.run().seen(), "/ read", "/a elsewhere /login", "/b elsewhere /login")
}

// FuzzFront: whatever a page is made of, walls are told with a reason, and its print
// matches the page itself.
func FuzzFront(f *testing.F) {
	for _, c := range wallPages {
		f.Add("/a/b?c=1", c.page)
	}
	f.Fuzz(func(t *testing.T, path, page string) {
		root, url := tree(t, page), "https://a.test/"+path
		if w := wallOf(url, 200, nil, root); (w.kind == "") != (w.why == "") {
			t.Errorf("%+v", w)
		}
		if !newNotFound(url, root, url, root).matches(url, root) {
			t.Errorf("%q at %s is not like itself", page, url)
		}
	})
}

func BenchmarkWallOf(b *testing.B) {
	page := testsite.Markup{Title: "A", Main: strings.Repeat("<p>"+strings.Repeat("word ", 40)+"</p>", 30), Links: []string{"/a", "/b"}}.String()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if wallOf("https://a.test/", 200, nil, root).kind != "" {
			b.Fatal("a wall")
		}
	}
}
