package page

import (
	"bytes"
	"strings"
)

// prescanWindow is how many bytes at the start of a page are searched for a
// declaration. Browsers look at 1,024 first and at later ones while they parse;
// pages with long comments or scripts before the declaration are common.
const prescanWindow = 4 << 10

// htmlSpace is ASCII white space as HTML has it.
const htmlSpace = "\t\n\f\r "

// declaredCharset returns the encoding that a page's meta element or XML
// declaration names, empty when there is none (HTML standard, "prescan a byte
// stream to determine its encoding"). It looks at bytes, not at a parsed
// tree, and passes over comments only.
func declaredCharset(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return "utf-16be"
	}
	if name := metaCharset(head); name != "" {
		return name
	}
	return xmlCharset(head)
}

// metaCharset returns what the first meta element that names an encoding names.
func metaCharset(head []byte) string {
	p := prescan{head}
	for {
		open := bytes.IndexByte(p.rest, '<')
		if open < 0 {
			return ""
		}
		p.rest = p.rest[open+1:]
		switch {
		case bytes.HasPrefix(p.rest, []byte("!--")):
			p.skipPast("-->", 1) // "<!-->" is a whole comment
		case p.atMeta():
			p.rest = p.rest[len("meta"):]
			if name := p.metaName(); name != "" {
				return name
			}
		case p.atTag():
			p.skipTag()
		case len(p.rest) > 0 && strings.IndexByte("!/?", p.rest[0]) >= 0:
			p.skipPast(">", 0)
		}
	}
}

// xmlCharset returns the encoding that an XML declaration names.
func xmlCharset(head []byte) string {
	if !bytes.HasPrefix(head, []byte("<?xml")) {
		return ""
	}
	declaration, _, closed := bytes.Cut(head, []byte(">"))
	_, value, found := bytes.Cut(declaration, []byte("encoding"))
	value = bytes.TrimLeft(value, htmlSpace)
	if !closed || !found || len(value) == 0 || value[0] != '=' {
		return ""
	}
	value = bytes.TrimLeft(value[1:], htmlSpace)
	if len(value) == 0 || value[0] != '"' && value[0] != '\'' {
		return ""
	}
	return asciiCompatible(knownCharset(unquotedLabel(string(value))))
}

// asciiCompatible corrects a declaration that can't be true, since it was read
// as ASCII.
func asciiCompatible(name string) string {
	switch name {
	case "utf-16le", "utf-16be":
		return "utf-8"
	case "x-user-defined":
		return fallbackCharset
	}
	return name
}
