package signs

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// around is what all pages of a site have around their own text.
func around(title, text string) string {
	return "<title>" + title + "</title><header>Town of A <a href=/>Home</a> <a href=/news>News from the council</a> Search the site</header><main>" + text +
		"</main><footer>" + strings.Repeat("Open on weekdays from nine to four, Harbour street. Write or call us. ", 20) + "</footer>"
}

// TestNotFound: the host's answer for pages that do not exist is known again, however
// it varies, and no other page is taken for it.
func TestNotFound(t *testing.T) {
	const lost = "<h1>Page not found</h1><p>There is nothing at this address, or no longer.</p>"
	plain := func(string) string { return around("Page not found", lost) }
	echo := func(path string) string {
		return around("Not found: "+path, "<h1>We have no "+path+" here</h1><p>It may have moved. Try another word than "+strings.NewReplacer("/", " ", "-", " ").Replace(path)+".</p>")
	}
	dated := func(path string) string {
		return around("Page not found", lost+fmt.Sprintf("<p>Visitor %d, on 4 March, ray x%x</p>", 1000+7*len(path), 77777*len(path)))
	}
	numbered := func(path string) string {
		id := fmt.Sprintf("%08x-facade%d-deadbeef", 77777777*len(path), len(path))
		return around("Error "+id, fmt.Sprintf("<h1>We have no %s</h1><p>It is %d:%02d. Tell us about it as %s, please.</p>", path, len(path), len(path), id))
	}
	shell := func(string) string { return "<title>A</title><div id=app></div><script>start()</script>" }
	bare := func(string) string { return "Not found" }
	news := func(path string) string {
		text := ""
		for i := range 20 {
			text += " read " + strings.Repeat("w", 1+(7*i+len(path))%90) + " now"
		}
		return around("Page not found", lost+text)
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
		{"the ID of a request", numbered, "/some/longer/path.html", "", true},
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
		answer := func(url string) *document.Page {
			return &document.Page{URL: url, Status: 200, Root: tree(t, c.answer(weburl.Target(url)))}
		}
		print := NewNotFound(answer(one), answer(two))
		if c.page == "" {
			c.page = c.answer(c.path)
		}
		if got := print.Matches("https://a.test"+c.path, tree(t, c.page)); got != c.want {
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

// FuzzFront: whatever a page is made of, walls are told with a reason, and its print
// Matches the page itself.
func FuzzFront(f *testing.F) {
	for _, c := range interstitialPages {
		f.Add("/a/b?c=1", c.page)
	}
	f.Fuzz(func(t *testing.T, path, page string) {
		root, url := tree(t, page), "https://a.test/"+path
		if kind, why := FindInterstitial(url, 200, nil, root); (kind == "") != (why == "") {
			t.Errorf("%q, %q", kind, why)
		}
		if !twice(200, url, root).Matches(url, root) {
			t.Errorf("%q at %s is not like itself", page, url)
		}
	})
}
