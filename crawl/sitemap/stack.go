package sitemap

import (
	"bytes"
	"fmt"
)

func (x *xmlReader) push(name []byte) {
	x.starts = append(x.starts, len(x.names))
	x.names = append(x.names, name...)
}

// close handles an end tag, at byte at. One that skips open elements closes
// them, too; one that closes nothing is passed over.
func (x *xmlReader) close(name []byte, at int64) error {
	name = tagName(name)
	end := len(x.names)
	for depth := len(x.starts) - 1; depth >= 0; depth-- {
		if bytes.Equal(x.names[x.starts[depth]:end], name) {
			if depth < len(x.starts)-1 {
				x.sink.note(at, fmt.Sprintf("</%.40s> stands where another element is still open", name))
			}
			return x.popTo(depth)
		}
		end = x.starts[depth]
	}
	x.sink.note(at, fmt.Sprintf("</%.40s> ends what did not begin", name))
	return nil
}

func (x *xmlReader) popTo(depth int) error {
	for len(x.starts) > depth {
		if err := x.pop(); err != nil {
			return err
		}
	}
	return nil
}

// pop ends the innermost element.
func (x *xmlReader) pop() error {
	depth := len(x.starts) - 1
	x.names = x.names[:x.starts[depth]]
	x.starts = x.starts[:depth]
	switch depth {
	case x.format.depth + 1:
		x.endField()
	case x.format.depth:
		if x.inItem {
			return x.endItem()
		}
	}
	return nil
}

func (x *xmlReader) endField() {
	text := bytes.TrimSpace(x.text)
	switch {
	case x.into == fieldNone:
		return
	case x.tooLong:
		x.sink.note(x.scan.offset, fmt.Sprintf("a value is longer than %d bytes", maxText))
	case x.into == fieldLoc:
		x.entry.Loc = string(text)
	case x.into == fieldDate:
		x.entry.Lastmod = parseDate(text)
	}
	x.into, x.text, x.tooLong = fieldNone, x.text[:0], false
}

func (x *xmlReader) endItem() error {
	x.inItem = false
	if x.entry.Loc != "" {
		return x.sink.put(x.entry, x.scan.offset)
	}
	if x.format.kind == kindURLSet || x.format.kind == kindIndex {
		x.sink.note(x.scan.offset, fmt.Sprintf("the <%s> that ends here holds no address", x.format.item))
	}
	return nil // feeds may hold entries without one
}
