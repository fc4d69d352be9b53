package page

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"
)

const (
	// fallbackCharset is what browsers take an undeclared page for.
	fallbackCharset = "windows-1252"
	// prescanWindow is how many bytes at the start of a page are searched for a
	// declaration. Browsers look at 1,024 first and at later ones while they parse;
	// pages with long comments or scripts before the declaration are common.
	prescanWindow = 4 << 10
	// htmlSpace is ASCII white space as HTML has it.
	htmlSpace = "\t\n\f\r "
)

// Decode returns body as UTF-8 and the name (WHATWG Encoding) of the
// encoding it was in. The first of these that says anything decides, once and
// for all: a byte order mark, the charset of contentType, the body itself when
// the whole of it is UTF-8 beyond ASCII, a declaration in its first 4 KiB, and
// then windows-1252. What is UTF-8 already is returned as it is, not copied; a
// byte order mark is left out; bytes that the encoding does not know become U+FFFD.
func Decode(body []byte, contentType string) (text []byte, name string) {
	text, name, foreign := encodingOf(body, contentType)
	if foreign {
		text = decode(text, name)
	}
	return text, name
}

// encodingOf returns body without its byte order mark, the name of its encoding, and
// whether it must be decoded.
func encodingOf(body []byte, contentType string) (text []byte, name string, foreign bool) {
	name, mark := markedCharset(body)
	text = body[mark:]
	if name == "" {
		name = knownCharset(captured(charsetPattern, contentType))
	}
	ascii := isASCII(text)
	if name == "" && !ascii && utf8.Valid(text) {
		return text, "utf-8", false
	}
	if name == "" {
		name = cmp.Or(declaredCharset(text[:min(len(text), prescanWindow)]), fallbackCharset)
	}
	foreign = !ascii // in an encoding that extends ASCII
	switch name {
	case "utf-8":
		foreign = !ascii && !utf8.Valid(text)
	case "utf-16le", "utf-16be", "replacement":
		foreign = len(text) > 0
	case "iso-2022-jp": // switches alphabets by escape sequences of ASCII bytes
		foreign = !ascii || bytes.ContainsAny(text, "\x0e\x0f\x1b")
	}
	return text, name, foreign
}

func decode(body []byte, name string) []byte {
	encoding, _ := charset.Lookup(name)
	text, _ := encoding.NewDecoder().Bytes(body) // decoders replace what they can't read; none fails
	return text
}

func isASCII(body []byte) bool {
	for len(body) >= 8 { // eight at a time: every page passes here
		if binary.NativeEndian.Uint64(body)&0x8080808080808080 != 0 {
			return false
		}
		body = body[8:]
	}
	for _, b := range body {
		if b >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// markedCharset returns the encoding that a byte order mark names, and the
// length of the mark.
func markedCharset(body []byte) (name string, length int) {
	switch {
	case bytes.HasPrefix(body, []byte("\xEF\xBB\xBF")):
		return "utf-8", 3
	case bytes.HasPrefix(body, []byte("\xFE\xFF")):
		return "utf-16be", 2
	case bytes.HasPrefix(body, []byte("\xFF\xFE")):
		return "utf-16le", 2
	}
	return "", 0
}

// knownCharset returns the name of the encoding with the given label, empty
// when there is none.
func knownCharset(label string) string {
	_, name := charset.Lookup(label)
	return name
}

// charsetPattern finds the label in a value such as "text/html; charset=utf-8" (HTML
// standard, "extracting a character encoding from a meta element"; unlike package mime it
// forgives what stands around it).
var charsetPattern = regexp.MustCompile(`(?i)charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))`)

var xmlPattern = regexp.MustCompile(`^<\?xml[^>]*?encoding[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^">]*)"|'([^'>]*)')[^>]*>`)

// declaredCharset returns the encoding that a page's meta element or XML
// declaration names, empty without one (HTML standard, "prescan a byte
// stream to determine its encoding"). As there, an element that a script writes
// counts too.
func declaredCharset(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return "utf-16be"
	}
	z := html.NewTokenizer(bytes.NewReader(head))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		z.NextIsNotRawText()
		if tag, _ := z.TagName(); string(tag) != "meta" {
			continue
		}
		attrs := map[string]string{}
		for more := true; more; {
			var key, value []byte
			key, value, more = z.TagAttr() // the first of a name
			attrs[string(key)] = string(value)
		}
		label, ok := attrs["charset"]
		if !ok && strings.EqualFold(attrs["http-equiv"], "content-type") {
			label = captured(charsetPattern, attrs["content"])
		}
		if name := knownCharset(label); name != "" {
			return asciiCompatible(name)
		}
	}
	return asciiCompatible(knownCharset(captured(xmlPattern, string(head))))
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
