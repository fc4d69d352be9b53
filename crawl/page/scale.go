package page

import (
	"io"
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// scale asks for the memory that the tags of a text cost. The standard's way of parsing lets a few
// bytes cost much: a formatting element that is never closed is made again in every block
// that follows (20 KB can take 300 MB), and each <html> or <body> after the first compares
// all attributes so far (95 KB took 13 seconds). So the price of a tag grows with what is
// open, and what only takes long is paid in memory as well.
type scale struct {
	take  func(bytes int64) error
	most  int      // names in one tag
	roots int64    // attributes of <html> and <body>
	open  []format // formatting elements that are not closed
	again int64    // what it takes to make them again
	level int      // how many elements began in which no end tag closes what began outside
}

// format is a formatting element: its name, and its start tag as it is written.
type format struct {
	name, tag string
	size      int64
	level     int
}

// read asks for the memory that a text costs. within says that the text is the content of a
// noscript, which may be parsed on its own.
func (s *scale) read(text []byte, within bool) error {
	from := &source{text: text, scale: s}
	z := html.NewTokenizer(from)
	for last := atom.Atom(0); ; {
		kind, before := z.Next(), last
		from.token, from.names, last = from.token+len(z.Raw()), 0, 0
		var err error
		switch {
		case kind == html.ErrorToken && z.Err() == io.EOF:
			return nil
		case kind == html.ErrorToken:
			return z.Err()
		case kind == html.TextToken && before == atom.Noscript && !within:
			err = s.read(z.Raw(), true)
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

// start asks for the price of a start tag and returns its name.
func (s *scale) start(z *html.Tokenizer) (atom.Atom, error) {
	tag := string(z.Raw())
	name, more := z.TagName()
	id, attributes := atom.Lookup(name), int64(0)
	for ; more; attributes++ {
		_, _, more = z.TagAttr()
	}
	price := perTag + perAttribute*attributes + s.again + int64(s.most) // whose names the tokenizer clears at each tag
	switch id {
	case atom.Html, atom.Body:
		s.roots += attributes
		price += perAttribute * s.roots
	case atom.Table, atom.Td, atom.Th, atom.Caption, atom.Applet, atom.Marquee, atom.Object, atom.Template, atom.Select, atom.Svg, atom.Math:
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

// end asks for the price of an end tag, which may make elements too.
func (s *scale) end(z *html.Tokenizer) error {
	name, _ := z.TagName()
	for i, f := range slices.Backward(s.open) {
		if f.level == s.level && f.name == string(name) {
			s.open, s.again = slices.Delete(s.open, i, i+1), s.again-f.size
			break
		}
	}
	return s.take(perTag/2 + s.again + int64(s.most))
}

const chunk = 4096 // bytes that the tokenizer gets at a time

// source gives the tokenizer its text. It asks for the memory of a tag's names before the
// tokenizer has them.
type source struct {
	text  []byte
	at    int
	token int // where the token begins that is read
	names int // of it, at most
	scale *scale
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	if s.at == len(s.text) {
		return 0, io.EOF
	}
	if begun := s.text[s.token:s.at]; len(begun) > chunk && begun[0] == '<' && nameLength(begun[1:]) > 0 {
		for _, c := range s.text[s.at:min(s.at+len(p), len(s.text), s.at+chunk)] {
			switch c {
			case ' ', '\t', '\r', '\n', '\f', '/', '"', '\'':
				s.names++
			}
		}
	}
	n := copy(p[:min(len(p), chunk)], s.text[s.at:])
	s.at += n
	if more := s.names - s.scale.most; more > 0 {
		s.scale.most += more
		return n, s.scale.take(perName * int64(more))
	}
	return n, nil
}
