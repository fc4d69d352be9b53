package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// place says what an element stands in, inherited from its ancestors.
type place uint16

const (
	inBody place = 1 << iota
	inMain       // main, article, or the owner's content
	inArticle
	inSection // any of them, or a section: a header here is the section's own
	inLink
	inLocal // a link within the page
	inLabel
	inHeading // also summary and dt: a button here is a heading to click on
	inPre
	inPick
	muted     // text is not wanted, fields are
	unindexed // neither is, by the owner's marks; a mark inside may say otherwise
)

// element is an element that the walk enters.
type element struct {
	node  *html.Node
	kind  markup.Kind
	attrs markup.Attrs
}

func elementOf(n *html.Node) element { return element{n, markup.KindOf(n), markup.AttrsOf(n)} }

func (e *element) isMain() bool {
	return e.node.DataAtom == atom.Main || strings.EqualFold(e.attrs.Role, "main")
}

// place says what the children of an element stand in.
func (e *element) place() place {
	if strings.EqualFold(e.attrs.Role, "main") && e.node.DataAtom != atom.Body {
		return inMain | inSection
	}
	switch e.node.DataAtom {
	case atom.Body, atom.Frameset:
		return inBody
	case atom.Main:
		return inMain | inSection
	case atom.Article:
		return inMain | inArticle | inSection
	case atom.Section, atom.Div:
		switch {
		case strings.EqualFold(e.attrs.Role, "article"):
			return inMain | inArticle | inSection
		case e.node.DataAtom == atom.Section:
			return inSection
		}
	case atom.A:
		switch {
		case e.attrs.Local:
			return inLink | inLocal
		case e.attrs.Linked:
			return inLink
		}
	}
	switch {
	case e.kind.Is(markup.Label):
		return inLabel
	case e.kind.Is(markup.Click):
		return inHeading
	case e.kind.Is(markup.Lines):
		return inPre
	}
	return 0
}

// isTrail reports whether an element is the breadcrumb trail.
func (e *element) isTrail() bool {
	switch e.node.DataAtom {
	case atom.Body, atom.Html, atom.Script, atom.Li:
		return false
	}
	a := &e.attrs
	return containsFold(a.Class, "breadcrumb") || containsFold(a.ID, "breadcrumb") ||
		containsFold(a.Label, "breadcrumb") || containsFold(a.Label, "brødkrumme") || strings.HasSuffix(a.Itemtype, "/BreadcrumbList")
}

func containsFold(s, lower string) bool {
	return len(s) >= len(lower) && strings.Contains(strings.ToLower(s), lower)
}
