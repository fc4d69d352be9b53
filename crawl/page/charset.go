package page

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// fallbackCharset is what an undeclared page is taken for, as browsers do.
const fallbackCharset = "windows-1252"

// Decode returns body as UTF-8 and the name (WHATWG Encoding) of the
// encoding it was in. The first of these that says anything decides, once and
// for all: a byte order mark, the charset of contentType, the body itself when
// the whole of it is UTF-8 beyond ASCII, a declaration in its first 4 KiB, and
// then windows-1252. What is UTF-8 already is returned as it is, not copied; a
// byte order mark is left out; bytes that the encoding does not know become U+FFFD.
func Decode(body []byte, contentType string) (text []byte, name string) {
	name, mark := markedCharset(body)
	body = body[mark:]
	if name == "" {
		name = knownCharset(labelAfterCharset(contentType))
	}
	ascii := isASCII(body)
	if name == "" && !ascii && utf8.Valid(body) {
		return body, "utf-8"
	}
	if name == "" {
		name = declaredCharset(body[:min(len(body), prescanWindow)])
	}
	if name == "" {
		name = fallbackCharset
	}
	if isUTF8As(name, body, ascii) {
		return body, name
	}
	encoding, _ := charset.Lookup(name)
	text, err := encoding.NewDecoder().Bytes(body)
	if err != nil { // decoders replace what they can't read; none fails
		text = bytes.ToValidUTF8(body, []byte("\uFFFD"))
	}
	return text, name
}

// isUTF8As reports whether body, read as the named encoding, is the same bytes
// in UTF-8: valid UTF-8, or ASCII in an encoding that extends it.
func isUTF8As(name string, body []byte, ascii bool) bool {
	switch name {
	case "utf-8":
		return ascii || utf8.Valid(body)
	case "utf-16le", "utf-16be", "replacement":
		return len(body) == 0
	case "iso-2022-jp": // switches alphabets by escape sequences of ASCII bytes
		return ascii && !bytes.ContainsAny(body, "\x0e\x0f\x1b")
	}
	return ascii
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

// labelAfterCharset returns the label in a value such as "text/html;
// charset=utf-8", empty when there is none (HTML standard, "extracting a
// character encoding from a meta element"; unlike package mime it forgives what
// stands around it).
func labelAfterCharset(value string) string {
	s := strings.ToLower(value)
	for {
		var found bool
		if _, s, found = strings.Cut(s, "charset"); !found {
			return ""
		}
		s = strings.TrimLeft(s, htmlSpace)
		if rest, ok := strings.CutPrefix(s, "="); ok {
			return unquotedLabel(strings.TrimLeft(rest, htmlSpace))
		}
	}
}

func unquotedLabel(s string) string {
	if s == "" {
		return ""
	}
	if quote := s[:1]; quote == `"` || quote == "'" {
		label, _, closed := strings.Cut(s[1:], quote)
		if !closed {
			return ""
		}
		return label
	}
	if end := strings.IndexAny(s, htmlSpace+";"); end >= 0 {
		s = s[:end]
	}
	return s
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
