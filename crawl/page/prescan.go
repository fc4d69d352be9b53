package page

import (
	"bytes"
	"slices"
	"strings"
)

// prescan is what is left of the bytes to look at.
type prescan struct{ rest []byte }

func (p *prescan) skipPast(mark string, from int) {
	from = min(from, len(p.rest))
	end := bytes.Index(p.rest[from:], []byte(mark))
	if end < 0 {
		p.rest = nil
		return
	}
	p.rest = p.rest[from+end+len(mark):]
}

func (p *prescan) atMeta() bool {
	const name = "meta"
	return len(p.rest) > len(name) && bytes.EqualFold(p.rest[:len(name)], []byte(name)) &&
		strings.IndexByte(htmlSpace+"/", p.rest[len(name)]) >= 0
}

func (p *prescan) atTag() bool {
	tag := bytes.TrimPrefix(p.rest, []byte("/"))
	return len(tag) > 0 && 'a' <= tag[0]|0x20 && tag[0]|0x20 <= 'z'
}

func (p *prescan) skipTag() {
	end := bytes.IndexAny(p.rest, htmlSpace+">")
	if end < 0 {
		p.rest = nil
		return
	}
	p.rest = p.rest[end:]
	for {
		if name, _ := p.attribute(); name == nil {
			return
		}
	}
}

// metaName returns the encoding that the attributes of a meta element name.
func (p *prescan) metaName() string {
	var seen []string
	var name string
	var found, pragma, needsPragma bool
	for {
		raw, value := p.attribute()
		if raw == nil {
			break
		}
		attribute := strings.ToLower(string(raw))
		if slices.Contains(seen, attribute) {
			continue
		}
		seen = append(seen, attribute)
		switch attribute {
		case "http-equiv":
			pragma = bytes.EqualFold(value, []byte("content-type"))
		case "content":
			if label := knownCharset(labelAfterCharset(string(value))); label != "" && !found {
				name, found, needsPragma = label, true, true
			}
		case "charset":
			name, found, needsPragma = knownCharset(string(value)), true, false
		}
	}
	if needsPragma && !pragma {
		return ""
	}
	return asciiCompatible(name)
}

// attribute returns the next attribute of a tag as written; no name at the
// tag's or the bytes' end.
func (p *prescan) attribute() (name, value []byte) {
	p.rest = bytes.TrimLeft(p.rest, htmlSpace+"/")
	if len(p.rest) == 0 || p.rest[0] == '>' {
		return nil, nil
	}
	// A name may begin with "=", but ends before the next one.
	end := bytes.IndexAny(p.rest[1:], htmlSpace+"/>=") + 1
	if end == 0 {
		p.rest = nil
		return nil, nil
	}
	name = p.take(end)
	after := bytes.TrimLeft(p.rest, htmlSpace)
	if len(after) == 0 || after[0] != '=' {
		p.rest = after
		return name, nil
	}
	p.rest = bytes.TrimLeft(after[1:], htmlSpace)
	value, complete := p.value()
	if !complete {
		p.rest = nil
		return nil, nil
	}
	return name, value
}

// value returns an attribute's value, quoted or not; not complete when the
// bytes end in it.
func (p *prescan) value() (value []byte, complete bool) {
	if len(p.rest) == 0 {
		return nil, false
	}
	if quote := p.rest[0]; quote == '"' || quote == '\'' {
		end := bytes.IndexByte(p.rest[1:], quote)
		if end < 0 {
			return nil, false
		}
		p.rest = p.rest[1:]
		value = p.take(end)
		p.rest = p.rest[1:]
		return value, true
	}
	end := bytes.IndexAny(p.rest, htmlSpace+">")
	if end < 0 {
		return nil, false
	}
	return p.take(end), true
}

func (p *prescan) take(n int) []byte {
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}
