package signs

import (
	"testing"

	"golang.org/x/net/html"

	"sitesync/internal/document"
)

// TestAbsence: a place counts whatever it echoes, and not for another form of its own
// address.
func TestAbsence(t *testing.T) {
	for _, c := range []struct {
		place, from, to string
		want            bool
	}{
		{"/error?url=/nosuchpage", "/a", "/error?url=/a", true},
		{"/error?url=/nosuchpage", "/a", "/error", true},
		{"/error?url=/nosuchpage", "/a", "/error/", false},
		{"/error?url=/nosuchpage", "/a", "/Error", false},
		{"/news/", "/news/old.html", "/news/", true},
		{"/news/", "/news", "/news/", false},
		{"/news/", "/News/", "/news/", false},
		{"/news/", "/news/index.html", "/news/", false},
		{"/news/", "/news/?id=1", "/news/", false},
		{"/error?url=/nosuchpage", "/error?x=1", "/error", false},
		{"/error?url=/nosuchpage", "/a", "/b", false},
	} {
		a := Absence{Place: "https://a.test" + c.place}
		if got := a.Leads("https://a.test"+c.from, "https://a.test"+c.to); got != c.want {
			t.Errorf("%s to %s: %t", c.from, c.to, got)
		}
	}
	a := Absence{Place: "https://a.test/error"}
	if a.Leads("https://b.test/a", "https://b.test/error") {
		t.Error("another host's place counts")
	}
	const url, text = "https://a.test/nosuchpage", "<title>Oh</title>There is nothing at this address, we looked."
	root := tree(t, text)
	if a.Match(url, root) != nil || (*Absence)(nil).Match(url, root) != nil {
		t.Error("no page is like one")
	}
	a.Page = twice(404, url, root)
	if p := a.Match("https://a.test/x", root); p == nil || !p.Refused {
		t.Errorf("a refusal: %+v", p)
	}
}

// twice returns the fingerprint of an answer that came twice.
func twice(status int, url string, root *html.Node) *NotFound {
	p := &document.Page{URL: url, Status: status, Root: root}
	return NewNotFound(p, p)
}

// TestRefusals: a 404 that says next to nothing, or is a shell that scripts fill, makes
// no print: pages that are there may look so.
func TestRefusals(t *testing.T) {
	for text, want := range map[string]bool{
		"<title>Not found</title><h1>Not found</h1>":                              true,
		"<h1>Not found</h1>":                                                      false,
		"<title>404</title>404":                                                   false,
		"We looked, and there is nothing at this address.":                        true,
		"<title>Shop</title><div id=root></div><script src=/app.js></script>":     false,
		"<title>Shop</title><div id=root>Loading</div><script>start()</script>":   false,
		around("Town", "<h1>Not found</h1><p>There is nothing at this address."):  true,
		around("Town", "<h1>Not found</h1><p>Request 77f0-8a91, 12:05, deadbeef"): true,
	} {
		root := tree(t, text)
		if got := twice(404, "https://a.test/x", root) != nil; got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
