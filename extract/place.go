package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// where says what an element stands in, inherited from its ancestors.
type where uint16

const (
	inBody where = 1 << iota
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

// placeOf says what the children of an element stand in.
func placeOf(n *html.Node, a *attrs) where {
	if strings.EqualFold(a.role, "main") && n.DataAtom != atom.Body {
		return inMain | inSection
	}
	switch n.DataAtom {
	case atom.Body, atom.Frameset:
		return inBody
	case atom.Main:
		return inMain | inSection
	case atom.Article:
		return inMain | inArticle | inSection
	case atom.Section:
		if !strings.EqualFold(a.role, "article") {
			return inSection
		}
		return inMain | inArticle | inSection
	case atom.Div:
		if strings.EqualFold(a.role, "article") {
			return inMain | inArticle | inSection
		}
	case atom.A:
		switch {
		case a.local:
			return inLink | inLocal
		case a.linked:
			return inLink
		}
	case atom.Label, atom.Legend, atom.Button:
		return inLabel
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Summary, atom.Dt:
		return inHeading
	case atom.Pre, atom.Listing, atom.Xmp:
		return inPre
	}
	return 0
}

// touches reports whether a link follows another without a space between: what
// they look like keeps them apart.
func touches(n *html.Node) bool {
	return n.DataAtom == atom.A && n.PrevSibling != nil && n.PrevSibling.DataAtom == atom.A
}

// isControl reports whether an element stands as a box between the words around it.
func isControl(a atom.Atom) bool {
	switch a {
	case atom.Button, atom.Input, atom.Select, atom.Textarea:
		return true
	}
	return false
}
