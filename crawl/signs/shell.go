package signs

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
)

const (
	shellText = 200 // bytes of text from which a page counts as one that says something
	rootText  = 50  // the same for the element that an application fills: room for "Loading…"
)

// EmptyShell reports whether a page shows next to nothing before its scripts have
// run: it has scripts and little text outside its frame, and an element that waits
// to be filled, a plea for JavaScript, or nothing at all to see.
func EmptyShell(root *html.Node) bool {
	var s shell
	s.read(root)
	return s.scripts && s.text < shellText && (s.root || s.plea || s.text == 0 && !s.shows)
}

// shell holds the facts about a page while it is read.
type shell struct {
	text    int  // bytes of text outside its frame, runs of white space as one
	scripts bool // code that could make content
	root    bool // an element that an application fills, next to empty
	plea    bool // a noscript that names JavaScript
	shows   bool // pictures, forms and the like
}

// read takes in n and what it holds, until there is too much text for a shell: of
// nearly every page that is soon.
func (s *shell) read(n *html.Node) {
	if n.Type == html.TextNode {
		space := 0
		for word := range strings.FieldsSeq(n.Data) {
			s.text += space + len(word)
			space = 1
			if s.text >= shellText {
				return
			}
		}
		return
	}
	before := s.text
	if n.Type != html.ElementNode || s.enters(n) {
		for child := n.FirstChild; child != nil && s.text < shellText; child = child.NextSibling {
			s.read(child)
		}
	}
	if n.Type == html.ElementNode && s.text-before < rootText && isAppRoot(n) {
		s.root = true
	}
}

// enters notes what an element is, and reports whether text in it counts.
func (s *shell) enters(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		kind := strings.ToLower(strings.TrimSpace(page.Attr(n, "type")))
		isCode := kind == "" || kind == "module" || strings.HasSuffix(kind, "javascript") || strings.HasSuffix(kind, "ecmascript")
		s.scripts = s.scripts || isCode
		return false
	case atom.Noscript:
		s.plea = s.plea || n.FirstChild != nil && strings.Contains(strings.ToLower(n.FirstChild.Data), "javascript")
		return false
	case atom.Style, atom.Template, atom.Title, atom.Header, atom.Footer, atom.Nav, atom.Aside:
		return false
	case atom.Img, atom.Picture, atom.Video, atom.Audio, atom.Iframe, atom.Frame, atom.Object, atom.Embed, atom.Form, atom.Canvas, atom.A:
		s.shows = true
	}
	return true
}

func isAppRoot(n *html.Node) bool {
	if n.Parent != nil && n.Parent.DataAtom == atom.Body && strings.Contains(n.Data, "-") {
		return true // a custom element: app-root, my-shop
	}
	return slices.Contains(markers["rootIDs"], strings.ToLower(page.Attr(n, "id"))) ||
		slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return slices.Contains(markers["rootAttrs"], a.Key) })
}
