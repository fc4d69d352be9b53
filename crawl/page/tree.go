package page

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Next returns the node after n in document order below root; nil at the end. It skips the contents of
// template elements, because browsers don't show them.
func Next(root, n *html.Node) *html.Node {
	if n.FirstChild != nil && n.DataAtom != atom.Template {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
		if n == nil {
			return nil
		}
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// Attr returns the value of n's first attribute with the name key, or "" if n has no such attribute.
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasToken reports whether the space-separated list holds word. Letter case does not count.
func HasToken(list, word string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(token string) bool { return strings.EqualFold(token, word) })
}

// Hidden reports whether n is an element whose text browsers never show: script, style or noscript.
func Hidden(n *html.Node) bool {
	return n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Noscript
}

// maxLinkText bounds a link's text, in bytes. maxLinkNodes bounds the nodes searched for that text: links may
// nest and hold a million empty elements.
const (
	maxLinkText  = 200
	maxLinkNodes = 1000
)

// linkText returns the text inside a link. Without text, it returns the alternative text (alt) of the link
// itself. Without that, it returns the first alt of an image inside the link.
func linkText(link *html.Node) string {
	var kept [maxLinkText + 2*utf8.UTFMax]byte
	text, alt := kept[:0], Attr(link, "alt")
	var lastParent *html.Node
	n := link
	for left := maxLinkNodes; n != nil && left > 0 && len(text) <= maxLinkText; left-- {
		switch {
		case n.Type == html.TextNode && !Hidden(n.Parent):
			if lastParent != n.Parent && lastParent != nil && !(inlineText(lastParent) && inlineText(n.Parent)) {
				text = appendFolded(text, " ")
			}
			text, lastParent = appendFolded(text, n.Data), n.Parent
		case n.DataAtom == atom.Br:
			text = appendFolded(text, " ")
		case n.DataAtom == atom.Img && alt == "":
			alt = Attr(n, "alt")
		}
		n = Next(link, n)
	}
	if len(text) == 0 {
		text = appendFolded(text, alt)
	}
	text = bytes.ToValidUTF8(text[:min(len(text), maxLinkText)], nil) // the cut may have split the last character
	return string(bytes.TrimRight(text, " "))
}

// appendFolded appends s to text. Each run of white space and controls becomes one space, or nothing at the
// beginning. appendFolded stops a little beyond maxLinkText bytes.
func appendFolded(text []byte, s string) []byte {
	for _, c := range s {
		switch {
		case len(text) > maxLinkText:
			return text
		case !unicode.IsSpace(c) && !unicode.IsControl(c):
			text = utf8.AppendRune(text, c)
		case len(text) > 0 && text[len(text)-1] != ' ':
			text = append(text, ' ')
		}
	}
	return text
}

func inlineText(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Cite, atom.Code, atom.Em, atom.Font, atom.I, atom.Mark, atom.Q,
		atom.S, atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U, atom.Wbr:
		return true
	}
	return false
}

const (
	leastNoscript = 1000 // bytes; a smaller noscript element is read only if it holds a refresh
	maxNoscript   = 256 << 10
)

// readNoscript reads the links and the refresh in a noscript element, whose content the parser leaves as
// text. A page that is built by scripts may have no other links.
func (r *reader) readNoscript(n *html.Node) {
	c := n.FirstChild
	if c == nil || c.Type != html.TextNode ||
		len(c.Data) < leastNoscript && !strings.Contains(strings.ToLower(c.Data), "refresh") {
		return
	}
	text := strings.NewReader(c.Data[:min(len(c.Data), maxNoscript)])
	root, err := html.ParseWithOptions(text, html.ParseOptionEnableScripting(false))
	for a := root; err == nil && a != nil; a = Next(root, a) {
		if a.DataAtom == atom.A {
			r.readElement(a)
		} else if r.noscript == nil {
			r.noscript = metaRefresh(a)
		}
	}
}
