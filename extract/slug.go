package extract

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What makes HTML of manuals and notes gives each section an ID made of its
// heading: "Pagination" in a manual is no row of page numbers. Such an ID says
// what the section is about, not what it is.

// fateByID goes by the words of an ID. Of what is named after its own heading a
// list of links alone may be furniture.
func fateByID(n *html.Node, id string, up where) fate {
	f := fateByName(id, up)
	switch {
	case f == fateKeep || isHeading(n):
		return fateKeep
	case isSlug(n, id) && (up&inSection != 0 || !isConsent(strings.ToLower(id))):
		return fateLinks
	}
	return f
}

// doubtOfNames is doubtOf for an element.
func doubtOfNames(n *html.Node, a *attrs) doubt {
	if d := doubtOf(a.class, ""); d != doubtNone || a.id == "" {
		return d
	}
	d := doubtOf("", a.id)
	if d != doubtNone && d != doubtTalk && (isHeading(n) || isSlug(n, a.id)) {
		return doubtNone
	}
	return d
}

func isHeading(n *html.Node) bool {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Dt, atom.Summary, atom.Caption:
		return true
	}
	return false
}

// isSlug reports whether an ID is made of the heading with which an element
// begins.
func isSlug(n *html.Node, id string) bool {
	for c, count := n.FirstChild, 0; c != nil && count < 10; count++ {
		if isHeading(c) {
			return letters(textOf(c, maxTitle)) == letters(id)
		}
		switch {
		case c.NextSibling != nil && (c.Type != html.ElementNode || c.FirstChild == nil || ownShape(c) == shapeInline):
			c = c.NextSibling
		default:
			c = c.FirstChild
		}
	}
	return false
}

// letters returns the letters and digits of a text, in lower case.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
