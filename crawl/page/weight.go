package page

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What reading a page takes of memory at most, in bytes, as measured: its tree, its draft
// and what is made on the way.
const (
	perByte      = 4 // of the text
	perForeign   = 3 // of a body in another encoding than UTF-8
	perTag       = 300
	perAttribute = 100
	perManyOf    = 300 // of an attribute, in a tag with over manyOf of them
	manyOf       = 256
	perAgain     = 130 // of a formatting element that is made again
	perName      = 200 // of an attribute's name, while the tokenizer has it
)

// The standard's way of parsing lets a few bytes cost much: a formatting element
// that is never closed is made again in every block that follows (20 KB can take
// 300 MB), and each <html> or <body> after the first compares all attributes so far
// (95 KB took 13 seconds). The tokenizer clears the names of its longest tag at each tag.
// These bounds are far from what pages need.
const (
	plainRoots  = 16          // <html> and <body> tags with attributes; so few cost little
	plainBytes  = 24 << 20    // that attributes and formatting elements may take by the first estimate
	maxAgain    = 80 << 20    // bytes of formatting elements that are made again
	maxCompared = 500_000     // attributes
	maxCleared  = 200_000_000 // the same
	maxOpen     = 512         // the parser lets no more elements nest
	mostAlike   = 3           // of equal formatting elements the parser makes no more again
	maxOverlap  = 8           // times the length of the text
)

// Parse returns the tree of a page's bytes. take is asked for the memory that reading the
// page takes, before it is used; it may wait, and may be nil. Parse errs with take, and
// for markup that its parser would take out of all proportion long for.
func Parse(body []byte, contentType string, take func(bytes int64) error) (*html.Node, error) {
	if take == nil {
		take = func(int64) error { return nil }
	}
	text, name, foreign := encodingOf(body, contentType)
	if foreign {
		if err := take(perForeign * int64(len(body))); err != nil {
			return nil, err
		}
		text = decode(text, name)
	}
	if err := weigh(text, take); err != nil {
		return nil, err
	}
	return html.Parse(bytes.NewReader(text))
}

// weigh asks for the memory that a tree of the text takes. It errs where the text would cost
// its parser out of all proportion. What looks dear by the estimate is counted.
func weigh(text []byte, take func(bytes int64) error) error {
	if err := take(perByte * int64(len(text))); err != nil {
		return err
	}
	m := count(text)
	if m.doubtful || m.roots > plainRoots || m.attributes+m.again > plainBytes || m.cleared() > maxCleared {
		names := 0 // of attributes, at most
		for _, c := range []string{" ", "\n", "\t", "\r", "\f", "/", `"`, "'"} {
			names += bytes.Count(text, []byte(c))
		}
		if err := take(perName * int64(min(m.most, names))); err != nil {
			return err
		}
		m = tokenize(text, true)
	}
	switch {
	case m.again > maxAgain:
		return errors.New("formatting elements such as <b> are opened in it again and again and not closed")
	case m.compared > maxCompared:
		return errors.New("<html> and <body> stand in it again and again, each time with other attributes")
	case m.cleared() > maxCleared:
		return fmt.Errorf("one of its %d tags has %d attributes", m.tags, m.most)
	}
	return take(perTag*int64(m.tags) + m.attributes + m.again)
}

// markup is what a text costs its parser.
type markup struct {
	tags       int   // start tags and comments
	attributes int64 // bytes that their attributes take
	most       int   // attributes of one tag
	again      int64 // bytes that formatting elements take when they are made again
	roots      int   // <html> and <body> with attributes
	compared   int   // attributes of <html> and <body>, each time they are compared
	doubtful   bool  // an estimate may be too low
}

func (m *markup) addTag(attributes int) {
	m.tags++
	m.attributes += attributesTake(attributes)
	m.most = max(m.most, attributes)
}

// cleared returns how often the name of an attribute is cleared, at most.
func (m *markup) cleared() int64 { return int64(m.most) * int64(m.tags) }

// count estimates from above. Each "<" with a letter behind it counts as a tag, in comments
// and scripts too, and is read on its own, as the tokenizer does: so no tag is missed.
func count(text []byte) (m markup) {
	alike := map[string]int{} // formatting elements by their tag
	open := int64(0)          // bytes that formatting elements take, if none is closed
	overlap := maxOverlap * (len(text) + manyOf)
	for at := bytes.IndexByte(text, '<'); at >= 0 && !m.doubtful; at = bytes.IndexByte(text, '<') {
		text = text[at+1:]
		if isComment(text) || len(text) > 1 && text[0] == '/' && endMakesMore(text[1:]) {
			m.tags++
		}
		if len(text) == 0 || text[0]|0x20 < 'a' || text[0]|0x20 > 'z' {
			continue
		}
		name, attributes, length := readTag(text)
		m.addTag(attributes)
		switch whole := text[:length]; {
		case attributes > 0 && (bytes.EqualFold(name, []byte("html")) || bytes.EqualFold(name, []byte("body"))):
			m.roots++
		case isFormatting(name) && alike[string(whole)] < mostAlike:
			m.doubtful = len(alike) >= maxOpen
			alike[string(whole)]++
			open += perAgain + attributesTake(attributes)
		}
		if inner := bytes.IndexByte(text[:length], '<'); inner >= 0 {
			overlap -= length - inner
			m.doubtful = m.doubtful || overlap < 0
			length = inner
		}
		text = text[length:]
	}
	m.again = 2 * int64(m.tags) * open // at each start and each end
	if m.doubtful {
		m.most = math.MaxInt32
	}
	return m
}

func attributesTake(n int) int64 {
	if n > manyOf {
		return perManyOf * int64(n)
	}
	return perAttribute * int64(n)
}

// isComment reports whether a comment, or what the parser takes for one, begins behind a "<".
func isComment(text []byte) bool {
	if len(text) > 1 && text[0] == '/' {
		return text[1]|0x20 < 'a' || text[1]|0x20 > 'z'
	}
	return len(text) > 0 && (text[0] == '!' || text[0] == '?')
}

// endMakesMore reports whether an end tag may make elements: </p> and </br> make their own,
// and behind the end of a part of a table the next cell makes all parts around it again.
func endMakesMore(name []byte) bool {
	switch c := name[0] | 0x20; {
	case c == 't':
		return true
	case c == 'p':
		return len(name) == 1 || name[1]|0x20 < 'a' || name[1]|0x20 > 'z'
	}
	return len(name) > 1 && name[0]|0x20 == 'b' && name[1]|0x20 == 'r'
}

// isFormatting reports whether name is that of a formatting element of the HTML
// standard; a and nobr are not meant, of which only one can be open.
func isFormatting(name []byte) bool {
	switch len(name) {
	case 1, 2, 3, 4, 5, 6:
		var low [6]byte
		for i, c := range name {
			low[i] = c | 0x20 // lower case, if it is a letter
		}
		switch string(low[:len(name)]) {
		case "b", "big", "code", "em", "font", "i", "s", "small", "strike", "strong", "tt", "u":
			return true
		}
	}
	return false
}

// tokenize counts what the parser does more often than there are tags: the formatting
// elements that it makes again, which is all that are open, at each tag; and the attributes
// that <html> and <body> have so far, at each of these tags. It stops where that is too much.
// What stands for clients without scripts may be parsed on its own; then raw is false.
func tokenize(text []byte, raw bool) (m markup) {
	formats := formatting{levels: []map[string][]int64{{}}}
	roots := map[string]bool{} // attributes of <html> and <body>
	isNoscript := false        // the last token began one
	z := html.NewTokenizer(bytes.NewReader(text))
	for kind := z.Next(); kind != html.ErrorToken && m.again <= maxAgain && m.compared <= maxCompared && m.cleared() <= maxCleared; kind = z.Next() {
		if kind == html.TextToken && isNoscript && raw {
			inner := tokenize(z.Raw(), false)
			m.tags, m.attributes, m.again, m.compared, m.most = m.tags+inner.tags, m.attributes+inner.attributes, m.again+inner.again, m.compared+inner.compared, max(m.most, inner.most)
		}
		isNoscript = false
		if kind == html.CommentToken || kind == html.DoctypeToken {
			m.tags++
		}
		starts := kind == html.StartTagToken || kind == html.SelfClosingTagToken
		if !starts && kind != html.EndTagToken {
			continue
		}
		tag, attributed := z.TagName()
		id, n := atom.Lookup(tag), 0
		isRoot := starts && (id == atom.Html || id == atom.Body)
		for ; attributed; n++ {
			var key []byte
			key, _, attributed = z.TagAttr()
			if isRoot {
				roots[string(key)] = true
			}
		}
		if isNoscript = starts && id == atom.Noscript; isNoscript && !raw {
			z.NextIsNotRawText()
		}
		switch {
		case starts:
			m.addTag(n)
		case endMakesMore(tag):
			m.tags++
		}
		if isRoot {
			m.compared += len(roots)
		}
		before := formats.open
		formats.tag(tag, id, starts, n)
		m.again += min(before, formats.open) // a tag makes neither itself nor what it closes again
	}
	return m
}

// formatting is the formatting elements that are open.
type formatting struct {
	open   int64                // bytes that they take
	levels []map[string][]int64 // the same by name, a level for each cell around
}

// tag takes in a tag with so many attributes.
func (f *formatting) tag(tag []byte, id atom.Atom, starts bool, attributes int) {
	name, last := string(tag), len(f.levels)-1
	switch {
	case isFormatting(tag) && starts:
		size := perAgain + attributesTake(attributes)
		f.levels[last][name] = append(f.levels[last][name], size)
		f.open += size
	case isFormatting(tag):
		if sizes := f.levels[last][name]; len(sizes) > 0 {
			f.open -= sizes[len(sizes)-1]
			f.levels[last][name] = sizes[:len(sizes)-1]
		}
	case isCell(id) && starts && last < maxOpen:
		f.levels = append(f.levels, map[string][]int64{})
	case isCell(id) && !starts && last > 0: // what is left open in it counts on: not all that looks like a cell is one
		for name, sizes := range f.levels[last] {
			f.levels[last-1][name] = append(f.levels[last-1][name], sizes...)
		}
		f.levels = f.levels[:last]
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
