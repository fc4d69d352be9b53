package page

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Next returns the node after n in document order below root. The contents
// of templates are no part of the page.
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

// Attr returns the value of the first attribute key of n.
func Attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// HasToken reports whether the space-separated list holds word, in any case.
func HasToken(list, word string) bool {
	if len(list) < len(word) {
		return false // nearly always
	}
	for token := range strings.FieldsSeq(list) {
		if strings.EqualFold(token, word) {
			return true
		}
	}
	return false
}

// Hidden reports whether the text in n is never shown.
func Hidden(n *html.Node) bool {
	return n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Noscript
}

// maxLinkText bounds the text of a link, in bytes, and maxLinkNodes where it is
// looked for: links may nest and hold a million empty elements.
const (
	maxLinkText  = 200
	maxLinkNodes = 1000
)

// linkText returns the text of a link: what it contains, else the alternative
// text of itself (area) or of the first image inside that has one.
func linkText(link *html.Node) string {
	var kept [maxLinkText + 2*utf8.UTFMax]byte
	text, alt := kept[:0], Attr(link, "alt")
	var last *html.Node // whose child the text before is
	n := link
	for left := maxLinkNodes; n != nil && left > 0 && len(text) <= maxLinkText; left-- {
		switch {
		case n.Type == html.TextNode && !Hidden(n.Parent):
			if last != n.Parent && last != nil && !(inlineText(last) && inlineText(n.Parent)) {
				text = appendFolded(text, " ")
			}
			text, last = appendFolded(text, n.Data), n.Parent
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
	if len(text) > maxLinkText {
		text = text[:maxLinkText]
		for !utf8.Valid(text) { // at most three times: what was appended is valid
			text = text[:len(text)-1]
		}
	}
	return string(bytes.TrimRight(text, " "))
}

// appendFolded appends s with each run of white space and controls as one
// space, none at the beginning, up to a little more than maxLinkText bytes.
func appendFolded(text []byte, s string) []byte {
	for i := 0; i < len(s) && len(text) <= maxLinkText; i++ {
		if c := s[i]; c > ' ' && c < 0x7F {
			text = append(text, c)
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		i += size - 1
		switch {
		case c > ' ' && !unicode.IsSpace(c) && !unicode.IsControl(c):
			text = utf8.AppendRune(text, c)
		case len(text) > 0 && text[len(text)-1] != ' ':
			text = append(text, ' ')
		}
	}
	return text
}

// inlineText reports whether n sets its text in the line of the text around it.
func inlineText(n *html.Node) bool {
	switch n.DataAtom {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Cite, atom.Code, atom.Em, atom.Font, atom.I, atom.Mark, atom.Q, atom.S,
		atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U, atom.Wbr:
		return true
	}
	return false
}

const (
	leastNoscript = 1000 // bytes of markup that may hold a page, as forums have it
	maxNoscript   = 256 << 10
)

// readNoscript takes the links of a noscript, which the parser leaves as text. A page that
// scripts make has no other links. It notes a refresh.
func (r *reader) readNoscript(n *html.Node) {
	c := n.FirstChild
	if c == nil || c.Type != html.TextNode ||
		len(c.Data) < leastNoscript && !strings.Contains(strings.ToLower(c.Data), "refresh") {
		return
	}
	root, err := html.ParseWithOptions(strings.NewReader(c.Data[:min(len(c.Data), maxNoscript)]), html.ParseOptionEnableScripting(false))
	for a := root; err == nil && a != nil; a = Next(root, a) {
		if a.DataAtom == atom.A {
			r.readElement(a)
		} else if r.noscript == nil {
			r.noscript = metaRefresh(a)
		}
	}
}
