package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds on what one page may make us keep beside its text.
const (
	maxMetas  = 256
	maxHeads  = 16
	maxDates  = 256
	maxLinked = 32
	maxTrails = 8
	maxNodes  = 5000
)

// findings are what the walk met that fields are made of.
type findings struct {
	lang    string
	title   string
	metas   []meta
	linked  []string // JSON-LD sources
	heads   []head
	dates   []stamp
	crumbs  []*html.Node // what may be the breadcrumb trail
	scripts bool         // there is code that could make content
	body    bool         // the body holds an element
	links   int          // bytes of text in links
	locals  int          // of those, within the page
	labels  int          // bytes of text in labels of forms
}

type meta struct{ name, content string }

// head is a heading that readers see.
type head struct {
	node  *html.Node
	own   bool // the page's: in the main part, or no link to the site's first page
	block int  // the block it stands at
}

// note takes what an element gives to the fields; in is where its children
// stand, up where it stands itself.
func (w *walker) note(n *html.Node, a *attrs, in, up where) {
	f := &w.found
	f.body = f.body || up&inBody != 0
	switch n.DataAtom {
	case atom.Html:
		f.lang = firstOf(f.lang, a.lang)
	case atom.Title:
		if f.title == "" {
			f.title = textOf(n, maxTitle)
		}
	case atom.Meta:
		f.noteMeta(a)
	case atom.Script:
		f.noteScript(n, a)
	case atom.H1, atom.H2, atom.H3:
		if in&muted == 0 && len(f.heads) < maxHeads {
			f.heads = append(f.heads, head{n, in&inMain != 0 || in&inLink == 0 && !isLinked(n), len(w.text.spans)})
		}
	}
	w.noteDate(n, a, in)
	if len(f.crumbs) < maxTrails && isTrail(n, a) {
		f.crumbs = append(f.crumbs, n)
	}
}

// notTrail takes back a part of the page that is named after the trail in it.
func (f *findings) notTrail(n *html.Node) {
	f.crumbs = slices.DeleteFunc(f.crumbs, func(one *html.Node) bool { return one == n })
}

func (f *findings) noteMeta(a *attrs) {
	name := firstOf(a.property, a.name, a.equiv)
	if name == "" || a.content == "" || len(f.metas) >= maxMetas {
		return
	}
	f.metas = append(f.metas, meta{strings.ToLower(name), a.content})
}

func (f *findings) noteScript(n *html.Node, a *attrs) {
	if !strings.Contains(strings.ToLower(a.kind), "ld+json") {
		f.scripts = true
		return
	}
	if n.FirstChild != nil && len(f.linked) < maxLinked {
		f.linked = append(f.linked, n.FirstChild.Data)
	}
}

// meta returns the content of the first of the names that the page gives.
func (f *findings) meta(names ...string) string {
	for _, name := range names {
		for i := range f.metas {
			if f.metas[i].name != name {
				continue
			}
			if value := clean(f.metas[i].content); value != "" {
				return value
			}
		}
	}
	return ""
}

func isShown(n *html.Node) bool {
	a := attrsOf(n)
	return ownShape(n) != shapeNone && !isHidden(n, &a)
}

// isLinked reports whether a heading is a link from its first word on, as the
// site's name is on top of its pages.
func isLinked(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c.DataAtom == atom.A && attrsOf(c).linked
		}
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	return false
}

// isReference reports whether a text node is a mere sign that links within the
// page: to a heading itself, to a footnote or back.
func isReference(n *html.Node) bool {
	if len(n.Data) > 8 || n.Parent == nil || n.Parent.DataAtom != atom.A || hasLetter(n.Data) {
		return false
	}
	for _, a := range n.Parent.Attr {
		if a.Key == "href" {
			return strings.HasPrefix(a.Val, "#")
		}
	}
	return false
}

// textOf returns the text under one small node: at most size bytes of it, and
// what maxNodes nodes give.
func textOf(root *html.Node, size int) string {
	var t writer
	for n, count := root, 0; len(t.buf) <= size && count < maxNodes; count++ {
		if n.Type == html.TextNode && !isReference(n) {
			t.write(n.Data)
		}
		if n.FirstChild != nil && (n == root || isShown(n)) {
			n = n.FirstChild
			continue
		}
		for t.space = t.space || divides(n); n != root && n.NextSibling == nil; t.space = t.space || divides(n) {
			n = n.Parent
		}
		if n == root {
			break
		}
		n = n.NextSibling
		t.space = t.space || divides(n)
	}
	return clip(string(t.buf), size)
}

// divides reports whether an element parts the words before and after it.
func divides(n *html.Node) bool {
	return n.Type == html.ElementNode && (ownShape(n) != shapeInline || n.DataAtom == atom.Br)
}
