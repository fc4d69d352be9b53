package page

import (
	"bytes"
	"errors"
	"fmt"
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

// The standard's way of parsing lets a few bytes cost much: a formatting element
// that is never closed is made again in every block that follows (20 KB can take
// 300 MB), and each <html> or <body> after the first compares all attributes so far
// (95 KB took 13 seconds). These bounds are far from what pages need.
const (
	plainTags  = 1000 // in a text of up to plainBytes; so few cost little, whatever they are
	plainBytes = 256 << 10
	plainRoots = 16 // <html> and <body> tags with attributes
	maxTags    = 1_000_000
	maxAgain   = 500_000 // what may have to be done again for earlier tags
	maxOpen    = 512     // the parser lets no more elements nest
)

// Parse returns the tree of a page's bytes. It errs for markup that its parser would
// take out of all proportion long for.
func Parse(body []byte, contentType string) (*html.Node, error) {
	text, _ := Decode(body, contentType)
	if err := checkMarkup(text); err != nil {
		return nil, err
	}
	return html.Parse(bytes.NewReader(text))
}

// checkMarkup returns why an HTML text would cost its parser out of all proportion;
// nil for what may be parsed.
func checkMarkup(text []byte) error {
	tags := bytes.Count(text, []byte{'<'})
	if tags <= plainTags && len(text) <= plainBytes {
		return nil
	}
	if tags > maxTags {
		return fmt.Errorf("it has %d tags, over %d", tags, maxTags)
	}
	formatting, roots := countTags(text)
	// Without attributes, three of a name are the most that the parser makes again.
	if roots <= plainRoots && tags*min(formatting+3*formattingNames, maxOpen) <= maxAgain {
		return nil
	}
	switch again, compared := costOf(text); {
	case again > maxAgain:
		return errors.New("formatting elements such as <b> are opened in it again and again and not closed")
	case compared > maxAgain:
		return errors.New("<html> and <body> stand in it again and again, each time with other attributes")
	}
	return nil
}

// countTags counts the start tags with attributes of formatting elements and of the
// elements that begin a page; also those in comments and scripts, which is too many
// at worst.
func countTags(text []byte) (formatting, roots int) {
	var low [len("strong") + 1]byte
	for at := bytes.IndexByte(text, '<'); at >= 0; at = bytes.IndexByte(text, '<') {
		text = text[at+1:]
		end := 0
		for end < min(len(text), len(low)) && text[end] > ' ' && text[end] != '/' && text[end] != '>' {
			low[end] = text[end] | 0x20 // lower case, if it is a letter
			end++
		}
		if end == len(text) || text[end] == '>' {
			continue // no attribute follows
		}
		switch name := low[:end]; {
		case string(name) == "html" || string(name) == "body":
			roots++
		case isFormatting(name):
			formatting++
		}
	}
	return formatting, roots
}

const formattingNames = 12

// isFormatting reports whether name is that of a formatting element of the HTML
// standard; a and nobr are not meant, of which only one can be open.
func isFormatting(name []byte) bool {
	switch string(name) {
	case "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u":
		return true
	}
	return false
}

// costOf bounds what the parser would do more often than there are tags: how many
// formatting elements are made again, which is all that are open, at each tag; and how
// many attributes <html> and <body> have so far, at each of these tags. It stops above
// maxAgain.
func costOf(text []byte) (again, compared int) {
	open := 0
	levels := []map[string]int{{}} // open formatting elements by name, a level for each cell around
	attrs := map[string]bool{}
	z := html.NewTokenizer(bytes.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken && max(again, compared) <= maxAgain; kind = z.Next() {
		again += min(open, maxOpen)
		starts := kind == html.StartTagToken
		if !starts && kind != html.EndTagToken {
			continue
		}
		name, attributed := z.TagName()
		last := len(levels) - 1
		switch id := atom.Lookup(name); {
		case isFormatting(name) && starts:
			levels[last][string(name)]++
			open++
		case isFormatting(name):
			if levels[last][string(name)] > 0 {
				levels[last][string(name)]--
				open--
			}
		case isCell(id) && starts:
			if last < maxOpen {
				levels = append(levels, map[string]int{})
			}
		case isCell(id):
			if last > 0 { // what is left open in it counts on: not all that looks like a cell is one
				for name, n := range levels[last] {
					levels[last-1][name] += n
				}
				levels = levels[:last]
			}
		case id == atom.Html || id == atom.Body:
			for attributed {
				var key []byte
				key, _, attributed = z.TagAttr()
				attrs[string(key)] = true
			}
			compared += len(attrs)
		}
	}
	return again, compared
}

// isCell reports whether formatting elements outside an element of that name can't
// be closed inside it.
func isCell(name atom.Atom) bool {
	switch name {
	case atom.Td, atom.Th, atom.Caption, atom.Applet, atom.Marquee, atom.Object, atom.Template:
		return true
	}
	return false
}
