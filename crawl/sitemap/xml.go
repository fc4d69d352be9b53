package sitemap

import (
	"bytes"
	"fmt"
)

// maxDepth is far deeper than any sitemap nests.
const maxDepth = 64

// xmlReader reads one XML sitemap. It knows elements by local name, depth and
// prefix: an image:loc is no loc.
type xmlReader struct {
	scan   markupScanner
	sink   *sink
	format format

	names  []byte // the open elements' names, one after the other
	starts []int  // where each begins

	inItem bool
	prefix []byte // of the item
	entry  Entry

	into    field // where text goes
	text    []byte
	tooLong bool
}

type field int

const (
	fieldNone field = iota
	fieldLoc
	fieldDate
)

func (x *xmlReader) read() error {
	for {
		done, err := x.step()
		if err != nil {
			return x.sink.end(x.broken(err))
		}
		if done {
			return x.sink.end(nil)
		}
	}
}

// broken yields the entry at hand, when its address is known, and tells where
// the file breaks off.
func (x *xmlReader) broken(err error) error {
	if err == errDone || x.format.kind == "" {
		return err
	}
	if x.inItem && x.entry.Loc != "" {
		if err := x.sink.put(x.entry, x.scan.offset); err != nil {
			return err
		}
	}
	return breakAt(x.scan.offset, err)
}

// step reads text and the tag after it. It is done at the end of the root.
func (x *xmlReader) step() (done bool, err error) {
	text, whole, err := x.scan.upTo("<")
	if err != nil {
		return false, err
	}
	x.add(text, whole, true)
	at := x.scan.offset - 1
	tag, text, whole, err := x.scan.tag()
	if err != nil {
		return false, err
	}
	x.add(text, whole, false)
	switch {
	case len(tag) == 0:
		return false, nil
	case tag[0] == '/':
		err := x.close(tag[1:], at)
		return len(x.starts) == 0, err
	}
	return x.open(tag, at)
}

// add keeps text that belongs to an address or a date.
func (x *xmlReader) add(text []byte, whole, encoded bool) {
	if x.into == fieldNone || len(text) == 0 {
		return
	}
	if encoded {
		x.text = appendDecoded(x.text, text)
	} else {
		x.text = append(x.text, text...)
	}
	if !whole || len(x.text) > maxText {
		x.tooLong, x.text = true, x.text[:0]
	}
}

// open handles a start tag, at byte at. It is done when the root has no end.
func (x *xmlReader) open(tag []byte, at int64) (done bool, err error) {
	tag, empty := bytes.CutSuffix(tag, []byte("/"))
	name := tagName(tag)
	prefix, local := splitName(name)
	depth := len(x.starts)
	if depth == 0 {
		if x.format = formatOf(string(local)); x.format.kind == "" {
			return false, errNoSitemap(local)
		}
	}
	if depth == maxDepth {
		return false, fmt.Errorf("elements nest more than %d deep", maxDepth)
	}
	if err := x.enter(prefix, local, tag, at); err != nil {
		return false, err
	}
	x.push(name)
	if empty {
		err = x.pop()
	}
	return len(x.starts) == 0, err
}

// enter looks whether the element begins something we look for.
func (x *xmlReader) enter(prefix, local, tag []byte, at int64) error {
	depth := len(x.starts)
	own := x.inItem && bytes.Equal(prefix, x.prefix)
	switch {
	case string(local) == x.format.item && own && depth == x.format.depth+1:
		x.sink.note(at, fmt.Sprintf("the <%s> before has no end", x.format.item))
		if err := x.popTo(x.format.depth); err != nil {
			return err
		}
		x.beginItem(prefix)
	case string(local) == x.format.item && depth == x.format.depth:
		x.beginItem(prefix)
	case !x.inItem || depth != x.format.depth+1:
	case string(local) == "link" && (!own || x.format.loc != "link"):
		return x.link(own, tag)
	case own && string(local) == x.format.loc && x.entry.Loc == "":
		x.into = fieldLoc
	case x.isDate(local) && x.entry.Lastmod == 0:
		x.into = fieldDate
	}
	return nil
}

func (x *xmlReader) isDate(local []byte) bool {
	for _, name := range x.format.dates {
		if string(local) == name {
			return true
		}
	}
	return false
}

func (x *xmlReader) beginItem(prefix []byte) {
	x.inItem = true
	x.prefix = append(x.prefix[:0], prefix...)
	x.entry = Entry{Sitemap: x.format.kind == kindIndex}
}

// link handles xhtml:link in a urlset and link in Atom: the first of an Atom
// entry is its address, all others are alternates.
func (x *xmlReader) link(own bool, tag []byte) error {
	var href, rel, media []byte
	attributes(tag, func(name, value []byte) {
		switch string(name) {
		case "href":
			href = value
		case "rel":
			rel = value
		case "type":
			media = value
		}
	})
	atom := x.format.kind == kindAtom && own
	page := len(media) == 0 || bytes.Contains(media, []byte("html"))
	if len(href) == 0 || !page || string(rel) != "alternate" && !(atom && len(rel) == 0) {
		return nil
	}
	loc := string(bytes.TrimSpace(appendDecoded(nil, href)))
	switch {
	case atom && x.entry.Loc == "":
		x.entry.Loc = loc
	case (atom || x.format.kind == kindURLSet) && loc != x.entry.Loc:
		return x.sink.put(Entry{Loc: loc, Alternate: true}, x.scan.offset)
	}
	return nil
}
