package page

import (
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

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
	switch cost := costOf(text); {
	case cost.again > maxAgain:
		return errors.New("formatting elements such as <b> are opened in it again and again and not closed")
	case cost.compared > maxAgain:
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
		name := low[:attributedName(text)]
		for i := range name {
			name[i] = text[i] | 0x20 // lower case, where it is a letter
		}
		if string(name) == "html" || string(name) == "body" {
			roots++
		} else if isFormatting(name) {
			formatting++
		}
	}
	return formatting, roots
}

// attributedName returns the length of the name that a tag begins with when it is no
// longer than those that count and something follows it; else 0.
func attributedName(tag []byte) int {
	for i, c := range tag[:min(len(tag), len("strong")+1)] {
		switch {
		case c == '>':
			return 0
		case c <= ' ' || c == '/':
			return i
		}
	}
	return 0
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

// markupCost bounds what the parser would do more often than there are tags.
type markupCost struct {
	again  int              // formatting elements made again: those that are open, at each tag
	open   int              // of them
	levels []map[string]int // open elements by name, a level for each cell around

	compared int // attributes that <html> and <body> have so far, at each of these tags
	seen     map[string]bool
}

func costOf(text []byte) *markupCost {
	c := &markupCost{levels: []map[string]int{{}}, seen: map[string]bool{}}
	z := html.NewTokenizer(bytes.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken && max(c.again, c.compared) <= maxAgain; kind = z.Next() {
		c.again += min(c.open, maxOpen)
		if kind != html.StartTagToken && kind != html.EndTagToken {
			continue
		}
		name, attributed := z.TagName()
		switch id := atom.Lookup(name); {
		case isFormatting(name):
			c.format(string(name), kind == html.StartTagToken)
		case isCell(id):
			c.cell(kind == html.StartTagToken)
		case id == atom.Html || id == atom.Body:
			for attributed {
				var key []byte
				key, _, attributed = z.TagAttr()
				c.seen[string(key)] = true
			}
			c.compared += len(c.seen)
		}
	}
	return c
}

func (c *markupCost) format(name string, start bool) {
	top := c.levels[len(c.levels)-1]
	if start {
		top[name]++
		c.open++
	} else if top[name] > 0 {
		top[name]--
		c.open--
	}
}

// cell begins or ends a cell. What is open around it can't be closed in it; what is
// left open in it counts on, for not all that looks like a cell is one.
func (c *markupCost) cell(start bool) {
	last := len(c.levels) - 1
	if start && last < maxOpen {
		c.levels = append(c.levels, map[string]int{})
	} else if !start && last > 0 {
		for name, n := range c.levels[last] {
			c.levels[last-1][name] += n
		}
		c.levels = c.levels[:last]
	}
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
