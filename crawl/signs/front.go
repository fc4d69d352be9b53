package signs

import (
	neturl "net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
)

const (
	mostText = 1500     // bytes of text; a page with more is no wall
	mostCode = 32 << 10 // bytes of scripts and addresses, and of text, that are searched for markers
	mostPart = 4 << 10  // of those, of one script or address
)

// littleText reports whether a page shows so little that it may be a wall. Nearly
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
			case inHead(n):
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
		f.password = f.password || strings.EqualFold(page.Attr(n, "type"), "password") && !aside(n)
	case atom.A:
		to, err := here.Parse(strings.TrimSpace(page.Attr(n, "href")))
		if err != nil || to.Host == "" || to.Host == here.Host && to.Path == here.Path {
			return
		}
		f.links++
		if to.Host == here.Host {
			f.inner++
		}
	}
}

// inHead reports whether a text is the page's title or in a heading.
func inHead(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.Title, atom.H1, atom.H2:
			return true
		case atom.Body:
			return false
		}
	}
	return false
}

// aside reports whether an element stands beside the main part of its page.
func aside(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		switch p.DataAtom {
		case atom.Header, atom.Nav, atom.Aside, atom.Footer:
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
