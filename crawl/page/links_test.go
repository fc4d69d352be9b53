package page

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const linksPage = "https://www.example.com/d/p.html?q=1"

func readLinksOf(t testing.TB, body string, header http.Header) Links {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return ReadLinks(&document.Page{URL: linksPage, Root: root, Header: header}, weburl.NewCanonicalizer([]string{"utm_*"}), "SiteSync")
}

func TestReadLinks(t *testing.T) {
	cases := []struct {
		name, body string
		want       string // URLs and texts, separated by "; "
	}{
		{"a and area", `<a href="/a">A</a><map><area href="b" alt=" B  b "></map>`, "https://www.example.com/a A; https://www.example.com/d/b B b"},
		{"frames", `<iframe src="/f?x"></iframe><iframe src="about:blank"></iframe><iframe></iframe>`, "https://www.example.com/f?x"},
		{"link elements", `<head><link rel=alternate hreflang=de href=/de><link rel="alternate" type="application/rss+xml" href=/feed><link rel="alternate" type="Text/HTML" href=/m><link rel="alternate stylesheet" href=/s.css><link rel=next href="?p=2"><link rel=PREV href="?p=0"><link rel=stylesheet href=/t.css><link rel=icon href=/i><link href=/j><link rel=next href=""><link rel="next nofollow" href=/k>`,
			"https://www.example.com/de; https://www.example.com/m; https://www.example.com/d/p.html?p=2; https://www.example.com/d/p.html?p=0"},
		{"other schemes", `<a href="mailto:a@b">x</a><a href="TEL:1">x</a><a href=" javascript:void(0)">x</a><a href="data:text/html,x">x</a><a href="ftp://a/">x</a><a href="java&#10;script:x">x</a><a href="HTTPS://B.example">b</a>`, "https://b.example/ b"},
		{"nothing to follow", `<a>x</a><a href="">x</a><a href=" ">x</a><a href="#top">x</a><a href="p.html?q=1#x">x</a><a href="http://">x</a><a name=x>x</a>`, ""},
		{"nofollow", `<a rel="noopener NoFollow" href=/a>x</a><a rel="nofollower" href=/b>b</a><area rel=nofollow href=/c>`, "not https://www.example.com/a; https://www.example.com/b b; not https://www.example.com/c"},
		{"nofollow in one place only", `<a rel=nofollow href=/a>x</a><a href=/a>a</a>`, "https://www.example.com/a a"},
		{"repeated", `<a href=/a><img src=x></a><a href=/b>b</a><a href="/a#x">first</a><a href=/a>second</a>`, "https://www.example.com/a first; https://www.example.com/b b"},
		{"base", `<a href=x>x</a><base target=_blank><base href="/e/f/?y#z"><base href=/no/>`, "https://www.example.com/e/f/x x"},
		{"useless base", `<base href="http://"><a href=x>x</a>`, "https://www.example.com/d/x x"},
		{"template", `<template><a href=/a>a</a></template><a href=/b>b</a>`, "https://www.example.com/b b"},
		{"for clients without scripts", "<a href=/a>a</a><noscript><link rel=canonical href=/no><p>" + strings.Repeat("Text ", 200) + "<noscript><a href=/n>n</a></noscript><a href=/b rel=nofollow>b</a><a href=/c>c</a></noscript>",
			"https://www.example.com/a a; https://www.example.com/n n; not https://www.example.com/b; https://www.example.com/c c"},
		{"much for clients without scripts", "<noscript><a href=/b>b</a>" + strings.Repeat(" ", 256<<10) + "<a href=/c>c</a></noscript>", "https://www.example.com/b b"},
		{"little for clients without scripts", `<noscript><a href=/b>b</a></noscript>`, ""},
		{"odd but fine", `<a href=" /a b ">x</a><a href="/ø?utm_x=1&amp;y=2">ø</a><a href="\\c.example\d">c</a>`, "https://www.example.com/a%20b x; https://www.example.com/%C3%B8?y=2 ø; https://c.example/d c"},
		{"blank before a fragment", `<a href="/a #x">1</a><a href="/a ">2</a>`, "https://www.example.com/a%20 1; https://www.example.com/a 2"},
	}
	for _, c := range cases {
		var got []string
		for _, link := range readLinksOf(t, c.body, nil).Found {
			line := strings.TrimSpace(link.URL + " " + link.Text)
			if link.NoFollow {
				line = "not " + line
			}
			got = append(got, line)
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, strings.Join(got, "; "), c.want)
		}
	}
}

// TestReadLinksRefused: a link to the page's own host that can be no ID is told, and one to another
// host is not: that can't be in the index however it is written.
func TestReadLinksRefused(t *testing.T) {
	long := "/?q=" + strings.Repeat("x", weburl.MaxLen)
	for href, told := range map[string]bool{
		long: true, "p.html" + long: true, "?" + long: true, "//WWW.example.com" + long: true, "https://www.example.com" + long: true,
		"https://u:p@www.example.com/a": true, "http://": true,
		"https://b.example" + long: false, "HTTPS://B.example" + long + long + long + long: false, "//b.example" + long: false, `\\b.example` + long: false,
		"https://www.example.com@b.example/a": false, "https://www.example.com.b.example" + long: false, "https://1.2.3.256/": false,
	} {
		if got := readLinksOf(t, `<a href="`+href+`">x</a>`, nil); (len(got.Refused) == 1) != told || len(got.Found) > 0 {
			t.Errorf("%.40s: %q, told %v", href, got.Refused, told)
		}
	}
	bad := strings.Repeat("a", 600)
	if got := readLinksOf(t, strings.Repeat(`<a href="/`+bad+`">x</a>`, 3)+items(9, `<a href="/`+bad+`%d">x</a>`), nil); len(got.Refused) != 5 {
		t.Errorf("%d links are named, of many", len(got.Refused))
	}
}

func TestReadLinksText(t *testing.T) {
	cases := []struct{ body, want string }{
		{" a \n b\u00A0\tc ", "a b c"},
		{"a<b>b</b>c<span> d</span>", "abc d"},
		{"<h3>Title</h3><p>Text</p>", "Title Text"},
		{"<h3>Title</h3>Text", "Title Text"},
		{"a<br>b", "a b"},
		{"a<!-- x --><script>x</script><style>x</style><noscript>x</noscript>b", "ab"},
		{`<img alt=" An  image "><img alt=second>`, "An image"},
		{`<img alt=image> text`, "text"},
		{"a\x01\u0085b", "a b"},
		{"", ""},
		{strings.Repeat("<i></i>", 900) + "x", "x"},
		{strings.Repeat("<i></i>", 1100) + "x", ""},
		{strings.Repeat("x", 199) + "øø", strings.Repeat("x", 199)},
		{strings.Repeat("ø", 300), strings.Repeat("ø", 100)},
		{strings.Repeat(" ", 500) + "y", "y"},
		{strings.Repeat("<i>ab</i> ", 100), strings.TrimSpace(strings.Repeat("ab ", 67))[:200]},
	}
	for _, c := range cases {
		links := readLinksOf(t, "<a href=/x>"+c.body+"</a>", nil).Found
		if len(links) != 1 || links[0].Text != c.want {
			t.Errorf("%.60q: %+v, want %q", c.body, links, c.want)
		}
	}
}

func TestReadLinksCanonical(t *testing.T) {
	cases := []struct {
		name, body, header string
		want, bad          string
	}{
		{"first", `<head><link rel=canonical href="/c"><link rel=canonical href="/d">`, "", "https://www.example.com/c", ""},
		{"empty one passed over", `<head><link rel=canonical href=" "><link rel=canonical href="/d">`, "", "https://www.example.com/d", ""},
		{"body", `<body><p>x</p><link rel=canonical href="/c">`, "", "", ""},
		{"with base", `<head><link rel=canonical href="c"><base href="/e/">`, "", "https://www.example.com/e/c", ""},
		{"foreign", `<head><link rel=canonical href="https://B.example/?utm_a=1">`, "", "https://b.example/", ""},
		{"other scheme", `<head><link rel=canonical href="ftp://b.example/">`, "", "", "scheme is ftp"},
		{"secret", `<head><link rel=canonical href="https://u:secret@b.example/">`, "", "", "user name"},
		{"header among others", "", `<s.css>; rel=preload; as="a,b", <c>;rel="x Canonical", <e>; rel=canonical`, "https://www.example.com/d/c", ""},
		{"header without base", `<head><base href="/e/">`, `<c>; title="x; rel=no"; rel=canonical`, "https://www.example.com/d/c", ""},
		{"head before header", `<head><link rel=canonical href="/c">`, `</d>; rel=canonical`, "https://www.example.com/c", ""},
		{"first rel of a header", "", `</c>; rel=next; rel=canonical`, "", ""},
		{"broken header", "", `<c; rel=canonical`, "", ""},
	}
	for _, c := range cases {
		page := readLinksOf(t, c.body, http.Header{"Link": {c.header}})
		if page.Canonical != c.want || (page.BadCanonical == "") != (c.bad == "") || !strings.Contains(page.BadCanonical, c.bad) || strings.Contains(page.BadCanonical, "secret") {
			t.Errorf("%s: canonical %q, %q; want %q, %q", c.name, page.Canonical, page.BadCanonical, c.want, c.bad)
		}
	}
}

func TestReadLinksDirectives(t *testing.T) {
	cases := []struct {
		name, body        string
		headers           []string
		noIndex, noFollow string
	}{
		{"index", `<meta name=robots content="index, follow, max-snippet:-1">`, nil, "", ""},
		{"none means both", `<meta name=robots content=none>`, nil, "meta robots: none", "meta robots: none"},
		{"for us, any case", `<meta name=" SiteSync " content="nofollow">`, nil, "", "meta sitesync: nofollow"},
		{"for others", `<meta name=googlebot content=noindex><meta name=keywords content=noindex><meta content=noindex>`, nil, "", ""},
		{"adding up", `<meta name=robots content=noindex><meta name=sitesync content="index,nofollow">`, nil, "meta robots: noindex", "meta sitesync: index,nofollow"},
		{"other separators", `<meta name=robots content="noindex; nofollow">`, nil, "meta robots: noindex; nofollow", "meta robots: noindex; nofollow"},
		{"parts of words", `<meta name=robots content="noindexing, donoindex, noimageindex">`, nil, "", ""},
		{"template", `<template><meta name=robots content=noindex></template>`, nil, "", ""},
		{"header none", "", []string{"None"}, "X-Robots-Tag: None", "X-Robots-Tag: None"},
		{"header for us", "", []string{"sitesync: noindex, nofollow"}, "X-Robots-Tag: sitesync: noindex, nofollow", "X-Robots-Tag: sitesync: noindex, nofollow"},
		{"header for all, then others", "", []string{"noindex, googlebot: nofollow"}, "X-Robots-Tag: noindex, googlebot: nofollow", ""},
		{"header for others, then us", "", []string{"googlebot: nofollow, SiteSync: noindex"}, "X-Robots-Tag: googlebot: nofollow, SiteSync: noindex", ""},
		{"header for any", "", []string{"*: noindex", "robots: nofollow"}, "X-Robots-Tag: *: noindex", "X-Robots-Tag: robots: nofollow"},
		{"end of availability", "", []string{"unavailable_after: 25 Jun 2010 15:00:00 PST", "unavailable_after: Friday, 25-Jun-10 15:00:00 PST, nofollow"}, "", "X-Robots-Tag: unavailable_after: Friday, 25-Jun-10 15:00:00 PST, nofollow"},
		{"long", `<meta name=robots content="noindex` + strings.Repeat(" ", 50) + strings.Repeat("x", 300) + `">`, nil, ("meta robots: noindex " + strings.Repeat("x", 300))[:200], ""},
		{"beyond the first 64 KiB", `<meta name=robots content="` + strings.Repeat("x,", 32<<10) + `noindex">`, nil, "", ""},
	}
	for _, c := range cases {
		page := readLinksOf(t, c.body, http.Header{"X-Robots-Tag": c.headers})
		if page.NoIndex != c.noIndex || page.NoFollow != c.noFollow {
			t.Errorf("%s: noindex %q, nofollow %q; want %q, %q", c.name, page.NoIndex, page.NoFollow, c.noIndex, c.noFollow)
		}
	}
	if page := ReadLinks(&document.Page{URL: linksPage, Header: http.Header{"X-Robots-Tag": {"noindex"}}}, weburl.NewCanonicalizer(nil), ""); page.NoIndex == "" {
		t.Error("the header of a file is not read")
	}
}

// TestReadLinksRefresh: the shared declarative refresh steps of the HTML standard. The first
// that can be read counts, also where it only reloads the page.
func TestReadLinksRefresh(t *testing.T) {
	const site, reloads, unreadable = "https://www.example.com", "reloads", "unreadable"
	for _, c := range []struct {
		content, want string
		after         uint64
	}{
		{"0; url=/x", site + "/x", 0},
		{"5;URL='x y'z", site + "/d/x%20y", 5},
		{` 1.5 , url = "/x"`, site + "/x", 1},
		{".9;/x", site + "/x", 0},
		{"0 /x", site + "/x", 0},
		{"3;https://b.example/?url=1", "https://b.example/?url=1", 3},
		{"0;url/x", site + "/d/url/x", 0},
		{"0;;/x", site + "/d/;/x", 0},
		{"010;/x", site + "/x", 10},
		{"11;/x", reloads, 0},
		{"99999999999999999999;/x", reloads, 0},
		{"0", reloads, 0},
		{"0;url=", reloads, 0},
		{"0;url=#top", reloads, 0},
		{"0;url=" + linksPage, reloads, 0},
		{"0;url=javascript:x", reloads, 0},
		{"-1;/x", unreadable, 0},
		{"0x", unreadable, 0},
		{"", unreadable, 0},
	} {
		want := c.want
		switch want {
		case reloads:
			want = ""
		case unreadable:
			want = site + "/second"
		}
		quoted := strings.ReplaceAll(c.content, `"`, "&quot;")
		for name, got := range map[string]Links{
			"meta":   readLinksOf(t, "<meta http-equiv=Refresh content=\""+quoted+"\"><meta http-equiv=refresh content='0;/second'>", nil),
			"header": readLinksOf(t, "<base href=/b/><meta http-equiv=refresh content='0;/second'>", http.Header{"Refresh": {c.content}}),
		} {
			if got.Refresh != want || got.After != c.after {
				t.Errorf("%s %q: %q after %d, want %q after %d", name, c.content, got.Refresh, got.After, want, c.after)
			}
		}
	}
}

// TestRefreshLater: where a page leads after more than ten seconds is a link.
func TestRefreshLater(t *testing.T) {
	got := readLinksOf(t, "<a href=/x>X</a><meta http-equiv=refresh content='60;/x'>", nil).Found
	if want := []Link{{URL: "https://www.example.com/x", Text: "X"}}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// TestReadLinksDeep: the depth of a tree costs no stack, its links are found.
func TestReadLinksDeep(t *testing.T) {
	root := &html.Node{Type: html.DocumentNode}
	n := root
	for range 200_000 {
		child := &html.Node{Type: html.ElementNode, Data: "div"}
		n.AppendChild(child)
		n = child
	}
	a := &html.Node{Type: html.ElementNode, Data: "a", DataAtom: atom.A, Attr: []html.Attribute{{Key: "href", Val: "/x"}}}
	n.AppendChild(a)
	if links := ReadLinks(&document.Page{URL: linksPage, Root: root}, weburl.NewCanonicalizer(nil), "").Found; len(links) != 1 {
		t.Errorf("links %v", links)
	}
}

func FuzzReadLinks(f *testing.F) {
	f.Add("<base href='/b/'><a href=' x#y' rel=z>t<img alt=i></a><meta name=robots content=none><link rel=canonical href=c>", "a: noindex", `<x>; rel="canonical"`)
	f.Add("<noscript><meta http-equiv=refresh content='1;/n'></noscript><script>location='/n'</script>", "nofollow", "2;url='/h")
	f.Add("<template><a href=/a></template><svg><a xlink:href=b><meta http-equiv=refresh content='0;url=\"x'>", "unavailable_after: x, none", "<")
	canon := weburl.NewCanonicalizer([]string{"utm_*"})
	f.Fuzz(func(t *testing.T, body, robots, link string) {
		root, err := html.Parse(strings.NewReader(body))
		if err != nil {
			return
		}
		page := ReadLinks(&document.Page{URL: linksPage, Root: root, Header: http.Header{"X-Robots-Tag": {robots}, "Link": {link}, "Refresh": {link}}}, canon, "sitesync")
		urls := []string{}
		for _, l := range page.Found {
			urls = append(urls, l.URL)
			if len(l.Text) > maxLinkText || !utf8.ValidString(l.Text) || strings.TrimSpace(l.Text) != l.Text {
				t.Errorf("link text %q", l.Text)
			}
		}
		for _, u := range append(urls, page.Canonical, page.Refresh) {
			if again, err := canon.URL(u); u != "" && again != u {
				t.Errorf("%q is not canonical: %q, %v", u, again, err)
			}
		}
		if slices.Contains(urls, linksPage) || page.Canonical != "" && page.BadCanonical != "" {
			t.Errorf("%+v", page)
		}
	})
}

// TestReadLinksAlternates: where a page stands in another language than its own.
func TestReadLinksAlternates(t *testing.T) {
	head := `<link rel=alternate hreflang=EN href="?q=1&amp;x"><link rel=alternate hreflang=da href="/d/p.html?lang=da#a"><link rel=alternate hreflang=x-default href=/>` +
		`<link rel=alternate hreflang=fr href=""><link rel=alternate hreflang=de href="p.html?q=1"><link rel=alternate href=/m><link rel="alternate nofollow" hreflang=no href=/no>`
	got := readLinksOf(t, `<html lang=en><head>`+head, nil).Alternates
	if want := []string{"https://www.example.com/d/p.html?lang=da"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
