package page

import (
	"io"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scale reserves the memory that parsing costs, tag by tag. Two kinds of tags let a few bytes cause much
// work. A formatting element, such as <b>, that is never closed is created again in every later block: 20 KB
// can take 300 MB. A repeated <html> or <body> is compared with the attributes of all earlier ones: 95 KB
// took 13 seconds. Work that takes only time is charged as memory too.
type scale struct {
	take           func(bytes int64) error
	mostNames      int
	rootAttributes int64
	open           []format
	again          int64 // bytes for creating all open formatting elements again
	level          int   // scopes (such as <td>) so far; an end tag closes only elements of the latest scope
}

// format is an open formatting element. tag is its start tag as written; level is scale.level at that tag.
type format struct {
	name, tag string
	size      int64
	level     int
}

// reserve reserves the memory for parsing text. within is true for the content of a noscript element.
func (s *scale) reserve(text []byte, within bool) error {
	from := &source{text: text, scale: s}
	z := html.NewTokenizer(from)
	for last := atom.Atom(0); ; {
		kind, before := z.Next(), last
		from.tokenAt, from.names, last = from.tokenAt+len(z.Raw()), 0, 0
		var err error
		switch {
		case kind == html.ErrorToken && z.Err() == io.EOF:
			return nil
		case kind == html.ErrorToken:
			return z.Err()
		case kind == html.TextToken && before == atom.Noscript && !within:
			err = s.reserve(z.Raw(), true)
		case kind == html.CommentToken || kind == html.DoctypeToken:
			err = s.take(perTag)
		case kind == html.EndTagToken:
			err = s.end(z)
		case kind != html.TextToken:
			last, err = s.start(z)
			if last == atom.Noscript && within {
				z.NextIsNotRawText()
			}
		}
		if err != nil {
			return err
		}
	}
}

func (s *scale) start(z *html.Tokenizer) (atom.Atom, error) {
	tag := string(z.Raw())
	name, more := z.TagName()
	id, attributes := atom.Lookup(name), int64(0)
	for ; more; attributes++ {
		_, _, more = z.TagAttr()
	}
	price := perTag + perAttribute*attributes + s.again + int64(s.mostNames) // clearing a map takes mostNames
	switch id {
	case atom.Html, atom.Body:
		s.rootAttributes += attributes
		price += perAttribute * s.rootAttributes
	case atom.Table, atom.Td, atom.Th, atom.Caption, atom.Applet, atom.Marquee, atom.Object, atom.Template,
		atom.Select, atom.Svg, atom.Math:
		s.level++
	}
	if isFormatting(string(name)) {
		alike, size := 0, perAgain+perAttribute*attributes
		for _, other := range s.open {
			if other.tag == tag {
				alike++
			}
		}
		if alike < mostAlike {
			s.open, s.again = append(s.open, format{string(name), tag, size, s.level}), s.again+size
		}
	}
	return id, s.take(price)
}

// end reserves the memory for an end tag. Like a start tag, it may reopen formatting elements.
func (s *scale) end(z *html.Tokenizer) error {
	name, _ := z.TagName()
	for i, f := range slices.Backward(s.open) {
		if f.level == s.level && f.name == string(name) {
			s.open, s.again = slices.Delete(s.open, i, i+1), s.again-f.size
			break
		}
	}
	return s.take(perTag/2 + s.again + int64(s.mostNames))
}

const mostReadAtOnce = 4096

// source is the tokenizer's input. It reserves memory for attribute names before the tokenizer stores them.
type source struct {
	text    []byte
	at      int
	tokenAt int
	names   int // upper bound of the attribute names in the current token
	scale   *scale
}

func (s *source) Read(p []byte) (int, error) {
	if s.at == len(s.text) {
		return 0, io.EOF
	}
	if begun := s.text[s.tokenAt:s.at]; len(begun) > mostReadAtOnce && begun[0] == '<' && nameLength(begun[1:]) > 0 {
		for _, c := range s.text[s.at:min(s.at+len(p), len(s.text), s.at+mostReadAtOnce)] {
			switch c {
			case ' ', '\t', '\r', '\n', '\f', '/', '"', '\'':
				s.names++
			}
		}
	}
	n := copy(p[:min(len(p), mostReadAtOnce)], s.text[s.at:])
	s.at += n
	if more := s.names - s.scale.mostNames; more > 0 {
		s.scale.mostNames += more
		return n, s.scale.take(perName * int64(more))
	}
	return n, nil
}
