package signs

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
)

const (
	shellText = 200 // a page with at least this many bytes of text is no empty shell
	rootText  = 50  // an application's root element with less text, such as "Loading…", counts as empty
)

// EmptyShell reports whether a page is nearly empty before its scripts run. Such a page has scripts, and
// little text outside header, nav, aside and footer. It also has a nearly empty root element of an
// application, or asks the visitor to enable JavaScript, or shows nothing at all.
func EmptyShell(root *html.Node) bool {
	var s shell
	s.visit(root)
	return s.scripts && s.text < shellText && (s.emptyRoot || s.plea || s.text == 0 && !s.shows)
}

type shell struct {
	text      int // bytes of text outside header, nav, aside and footer; each run of white space counts 1
	scripts   bool
	emptyRoot bool
	plea      bool
	shows     bool
}

func (s *shell) visit(n *html.Node) {
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
			s.visit(child)
		}
	}
	if n.Type == html.ElementNode && s.text-before < rootText && isAppRoot(n) {
		s.emptyRoot = true
	}
}

func (s *shell) enters(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Script:
		kind := strings.ToLower(strings.TrimSpace(page.Attr(n, "type")))
		s.scripts = s.scripts || kind == "" || kind == "module" ||
			strings.HasSuffix(kind, "javascript") || strings.HasSuffix(kind, "ecmascript")
		return false
	case atom.Noscript:
		s.plea = s.plea || n.FirstChild != nil && strings.Contains(strings.ToLower(n.FirstChild.Data), "javascript")
		return false
	case atom.Style, atom.Template, atom.Title, atom.Header, atom.Footer, atom.Nav, atom.Aside:
		return false
	case atom.Img, atom.Picture, atom.Video, atom.Audio, atom.Iframe, atom.Frame, atom.Object, atom.Embed,
		atom.Form, atom.Canvas, atom.A:
		s.shows = true
	}
	return true
}

func isAppRoot(n *html.Node) bool {
	if n.Parent != nil && n.Parent.DataAtom == atom.Body && strings.Contains(n.Data, "-") {
		return true // a custom element such as app-root or my-shop
	}
	return slices.Contains(markers["rootIDs"], strings.ToLower(page.Attr(n, "id"))) ||
		slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return slices.Contains(markers["rootAttrs"], a.Key) })
}
