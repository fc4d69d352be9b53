package signs

import (
	"testing"
)

// TestAbsence: a place counts whatever it echoes, and not for another form of its own
// address; what was answered with 200 counts before a refusal.
func TestAbsence(t *testing.T) {
	var a Absence
	a.AddPlace("https://a.test/error?url=/nosuchpage")
	a.AddPlace("https://a.test/news/")
	for _, c := range []struct {
		from, to string
		want     bool
	}{
		{"/a", "/error?url=/a", true},
		{"/a", "/error", true},
		{"/a", "/error/", false},
		{"/a", "/Error", false},
		{"/news/old.html", "/news/", true},
		{"/news", "/news/", false},
		{"/News/", "/news/", false},
		{"/news/index.html", "/news/", false},
		{"/news/?id=1", "/news/", false},
		{"/error?x=1", "/error", false},
		{"/a", "/b", false},
	} {
		if got := a.Leads("https://a.test"+c.from, "https://a.test"+c.to); got != c.want {
			t.Errorf("%s to %s: %t", c.from, c.to, got)
		}
	}
	if a.Leads("https://b.test/a", "https://b.test/error") {
		t.Error("another host's place counts")
	}
	const url, text = "https://a.test/nosuchpage", "<title>Oh</title>There is nothing at this address, we looked."
	root := tree(t, text)
	a.AddPage(NewRefusal(url, root, url, root))
	if p := a.Match("https://a.test/x", root); p == nil || !p.Refused {
		t.Errorf("a refusal: %+v", p)
	}
	a.AddPage(NewNotFound(url, root, url, root))
	if p := a.Match("https://a.test/x", root); p == nil || p.Refused {
		t.Errorf("an answer: %+v", p)
	}
	var none *Absence
	if none.Match(url, root) != nil {
		t.Error("no host at all shows nothing")
	}
}

// TestNewRefusal: a 404 that says next to nothing, or is a shell that scripts fill, makes
// no print: pages that are there may look so.
func TestNewRefusal(t *testing.T) {
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
		if got := NewRefusal("https://a.test/x", root, "https://a.test/y", root) != nil; got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}
