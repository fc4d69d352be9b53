package sitemap

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// tagName returns the name that a tag begins with.
func tagName(tag []byte) []byte {
	for i, c := range tag {
		if c <= ' ' {
			return tag[:i]
		}
	}
	return tag
}

// splitName returns prefix and local part of a name.
func splitName(name []byte) (prefix, local []byte) {
	if i := bytes.IndexByte(name, ':'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return nil, name
}

// attributes calls visit with each name and value of a tag.
func attributes(tag []byte, visit func(name, value []byte)) {
	for {
		i := bytes.IndexByte(tag, '=')
		if i < 0 {
			return
		}
		name := bytes.TrimSpace(tag[:i])
		name = name[bytes.LastIndexAny(name, " \t\r\n")+1:]
		tag = bytes.TrimLeft(tag[i+1:], " \t\r\n")
		if len(tag) == 0 || tag[0] != '"' && tag[0] != '\'' {
			continue
		}
		end := bytes.IndexByte(tag[1:], tag[0])
		if end < 0 {
			return
		}
		visit(name, tag[1:end+1])
		tag = tag[end+2:]
	}
}

// appendDecoded appends text with its entities decoded: the five that XML
// names and character numbers. Anything else stays as it is, so that a bare
// "&" does no harm.
func appendDecoded(dst, text []byte) []byte {
	for {
		amp := bytes.IndexByte(text, '&')
		if amp < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:amp]...)
		text = text[amp:]
		end := bytes.IndexByte(text[:min(len(text), len("&#x10FFFF;"))], ';')
		if r := entity(text[:end+1]); r != 0 {
			dst = utf8.AppendRune(dst, r)
			text = text[end+1:]
		} else {
			dst = append(dst, '&')
			text = text[1:]
		}
	}
}

// entity returns the character that an entity stands for; 0 when it is none.
func entity(e []byte) rune {
	switch string(e) {
	case "&amp;":
		return '&'
	case "&lt;":
		return '<'
	case "&gt;":
		return '>'
	case "&quot;":
		return '"'
	case "&apos;":
		return '\''
	}
	if len(e) < len("&#1;") || e[1] != '#' {
		return 0
	}
	digits, base := string(e[2:len(e)-1]), 10
	if digits[0]|0x20 == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if err != nil || n > utf8.MaxRune {
		return 0
	}
	return rune(n)
}
