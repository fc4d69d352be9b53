package signs

import (
	"fmt"
	"net/http"
	neturl "net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
	"sitesync/internal/document"
)

const (
	mostText = 1500     // bytes of text; a page with more is no interstitial
	mostCode = 32 << 10 // bytes of scripts and addresses, and of text, that are searched for markers
	mostPart = 4 << 10  // of those, of one script or address
)

// FindInterstitial tells from one answer alone whether something stands in place of the page
// at url, as a state that its host may be in, and in words what gave it away: a challenge for robots, a login form, a notice of maintenance, the
// domain's seller. root is nil where there was no page. It would rather miss one
// than take a page for it: an answer with much text of its own is a page.
func FindInterstitial(url string, status int, header http.Header, root *html.Node) (kind document.HostState, why string) {
	for _, guard := range markers["guardHeaders"] {
		name, marker, _ := strings.Cut(guard, "=")
		for _, value := range header.Values(name) {
			if strings.Contains(strings.ToLower(value), marker) {
				return document.HostBotGuard, fmt.Sprintf("a challenge for robots stands before the page (header %s: %s)", http.CanonicalHeaderKey(name), value)
			}
		}
	}
	if status == http.StatusUnauthorized {
		return document.HostLoginWall, "the page asks for a user and a password"
	}
	if root == nil || !littleText(root) {
		return "", ""
	}
	f := readFront(url, root)
	switch {
	case f.guard() != "":
		return document.HostBotGuard, fmt.Sprintf("a challenge for robots stands before the page (it holds %q)", f.guard())
	case f.parked() != "":
		return document.HostParked, fmt.Sprintf("the domain's seller or parking service answers (the page holds %q)", f.parked())
	case !isLoginPage(url) && !f.article && f.links <= 12 && // the main thing is a login form that does not belong at its address
		(f.handover || f.password && (firstIn(f.head, "loginHeads") != "" || f.head == "" && len(f.text) < 200)):
		return document.HostLoginWall, "a login form stands in place of the page"
	case !f.article && f.links <= 3 && len(f.text) < 800 && firstIn(f.head, "maintenanceHeads") != "" && firstIn(f.text, "maintenanceReturns") != "" && !f.password:
		return document.HostMaintenance, "a notice of maintenance stands in place of the page"
	}
	return "", ""
}

// guard returns what shows that the page is a challenge for robots.
func (f *front) guard() string {
	if marker := firstIn(f.code, "guardCode"); marker != "" {
		return marker
	}
	if f.article || f.links > 5 {
		return ""
	}
	for _, marker := range markers["guardTexts"] {
		first, second, _ := strings.Cut(marker, " + ")
		if strings.Contains(f.text, first) && strings.Contains(f.text, second) {
			return first
		}
	}
	if firstIn(f.code, "guardWidgets") == "" || firstIn(f.text, "guardDemands") == "" {
		return ""
	}
	return firstIn(f.head, "guardHeads")
}

// parked returns what shows that the domain has no site of its own.
func (f *front) parked() string {
	if f.article || f.inner > 1 {
		return ""
	}
	if marker := firstIn(f.code, "parkedCode"); marker != "" {
		return marker
	}
	if f.inner > 0 {
		return ""
	}
	if phrase := firstIn(f.head, "parkedPhrases"); phrase != "" || !strings.Contains(f.text, f.host) {
		return phrase
	}
	return firstIn(f.text, "parkedPhrases")
}

// firstIn returns the first entry of a list of markers that text holds.
func firstIn(text, list string) string {
	for _, phrase := range markers[list] {
		if strings.Contains(text, phrase) {
			return phrase
		}
	}
	return ""
}

// littleText reports whether a page shows so little that it may be an interstitial. Nearly
// every page says no after a glance.
func littleText(root *html.Node) bool {
	size := 0
	for n := root; n != nil && size <= mostText; n = page.Next(root, n) {
		if n.Type == html.TextNode && !page.Hidden(n.Parent) {
			size += len(strings.TrimSpace(n.Data))
		}
	}
	return size <= mostText
}

// front is what a page of little text shows, all in lower case.
type front struct {
	host         string // of the page, without www
	head         string // title and headings
	text         string // all text, with what is shown where there are no scripts
	code         string // of scripts, with all addresses and names of elements
	links, inner int    // to other pages; of those, on the same host
	password     bool   // the main part asks for a password
	handover     bool   // a form hands the visitor over to a login service
	article      bool   // it says that it is an article or the like
}

func readFront(url string, root *html.Node) *front {
	f := &front{}
	here, err := neturl.Parse(url)
	if err != nil { // no canonical URL is that
		here = &neturl.URL{}
	}
	f.host = strings.TrimPrefix(here.Hostname(), "www.")
	var head, text, code strings.Builder
	for n := root; n != nil; n = page.Next(root, n) {
		switch n.Type {
		case html.TextNode:
			switch {
			case n.Parent.DataAtom == atom.Script:
				addCode(&code, n.Data)
			case n.Parent.DataAtom == atom.Style:
			case within(n, atom.Title, atom.H1, atom.H2):
				addText(&head, n.Data)
				fallthrough
			default:
				addText(&text, n.Data)
			}
		case html.ElementNode:
			f.element(n, here)
			for _, key := range [...]string{"id", "src", "href", "action", "content"} {
				if value := page.Attr(n, key); value != "" {
					addCode(&code, value)
				}
			}
		}
	}
	f.head, f.text, f.code = head.String(), text.String(), code.String()
	return f
}

func (f *front) element(n *html.Node, here *neturl.URL) {
	switch n.DataAtom {
	case atom.Article, atom.Time:
		f.article = true
	case atom.Meta:
		f.article = f.article || page.Attr(n, "property") == "og:type" && page.Attr(n, "content") == "article"
	case atom.Input:
		f.handover = f.handover || page.Attr(n, "name") == "SAMLRequest"
		f.password = f.password || strings.EqualFold(page.Attr(n, "type"), "password") && !within(n, atom.Header, atom.Nav, atom.Aside, atom.Footer)
	case atom.A:
		href := page.Attr(n, "href")
		to, err := here.Parse(strings.TrimSpace(href[:min(len(href), mostPart)]))
		if err != nil || to.Host == "" || to.Host == here.Host && to.Path == here.Path {
			return
		}
		f.links++
		if to.Host == here.Host {
			f.inner++
		}
	}
}

// within reports whether n stands in one of elements.
func within(n *html.Node, elements ...atom.Atom) bool {
	for parent := range n.Ancestors() {
		if slices.Contains(elements, parent.DataAtom) {
			return true
		}
	}
	return false
}

// addText adds s in lower case with single spaces.
func addText(b *strings.Builder, s string) {
	for word := range strings.FieldsSeq(s) {
		if b.Len() > mostCode {
			return
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(strings.ReplaceAll(strings.ToLower(word), "’", "'"))
	}
}

func addCode(b *strings.Builder, s string) {
	if b.Len() < mostCode {
		b.WriteString(strings.ToLower(s[:min(len(s), mostPart)]))
		b.WriteByte('\n')
	}
}
