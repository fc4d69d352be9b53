package page

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	fallbackCharset = "windows-1252" // browsers use this encoding if nothing names one
	prescanWindow   = 64 << 10       // first bytes of a page that are searched for a declaration
	guessWindow     = 64 << 10       // bytes that guessCharset examines, from the first non-ASCII character
	leastGuess      = 10             // a guess counts if the detector's confidence is above this percentage
	fewBad          = 20             // text fits an encoding with at most one bad character for 20 letters
	htmlSpace       = "\t\n\f\r "
)

// encodingOf finds the encoding of body (WHATWG HTML, "encoding sniffing algorithm"). The first source that
// names one wins: the byte order mark; contentType; non-ASCII characters that are mostly UTF-8; a
// declaration near the start of body; a guess from the letters. text is body without the mark. foreign
// reports whether text must be decoded.
func encodingOf(body []byte, contentType string) (text []byte, is document.Charset, foreign bool) {
	name, mark := markedCharset(body)
	text = body[mark:]
	name = cmp.Or(name, knownCharset(captured(charsetPattern, contentType)))
	letters, bad, valid := 0, 0, utf8.Valid(text)
	if !valid {
		letters, bad = countLetters(text)
	}
	ascii := valid && name != "utf-8" && utf8.RuneCount(text) == len(text)
	if name == "" && !ascii && letters >= 4*bad { // other encodings very seldom look like UTF-8
		name = "utf-8"
	}
	if name == "" {
		name = declaredCharset(text[:min(len(text), prescanWindow)])
	}
	switch isText := !ascii && bytes.IndexByte(text, 0) < 0; {
	case isText && name == "":
		name = guessCharset(text)
		is.Doubt = fmt.Sprintf(
			"it names no charset, and its letters look like %s: name the charset in Content-Type", name)
	case isText && name == "utf-8" && fewBad*bad > letters:
		is.Doubt = fmt.Sprintf("it was read as UTF-8, which %s of it can't be; its letters look like %s: "+
			"name that in Content-Type, or save the page as UTF-8", document.Count(bad, "byte"), guessCharset(text))
	}
	is.Name = cmp.Or(name, fallbackCharset)
	switch is.Name {
	case "utf-8":
		return text, is, !valid
	case "utf-16le", "utf-16be", "replacement", "iso-2022-jp": // here even ASCII text must be decoded
		return text, is, true
	}
	return text, is, !ascii
}

// countLetters counts characters of text. letters are valid and not ASCII; bad are invalid or C1 controls.
func countLetters(text []byte) (letters, bad int) {
	for size := 0; len(text) > 0; text = text[size:] { // no conversion to string, which would copy
		var c rune
		c, size = utf8.DecodeRune(text)
		switch {
		case c == utf8.RuneError || c >= 0x80 && c < 0xA0:
			bad++
		case c >= utf8.RuneSelf:
			letters++
		}
	}
	return letters, bad
}

// guessCharset returns the most likely encoding that text fits (see fewBad). Equally likely encodings are
// tried in the order of their names.
func guessCharset(text []byte) string {
	from := bytes.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf })
	text = text[from:min(len(text), from+guessWindow)]
	likely, _ := chardet.NewHtmlDetector().DetectAll(text) // on an error the list is empty
	slices.SortFunc(likely, func(a, b chardet.Result) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Charset, b.Charset))
	})
	for _, guess := range likely {
		name := knownCharset(guess.Charset)
		if guess.Confidence <= leastGuess || name == "" || name == "utf-8" { // the text is known not to be UTF-8
			continue
		}
		if letters, bad := countLetters(decode(text, name, decodedSize(text, name))); fewBad*bad <= letters {
			return name
		}
	}
	return fallbackCharset
}

// decodedSize returns the length of body in UTF-8, in bytes. It discards the decoded text to save memory.
func decodedSize(body []byte, name string) int64 {
	encoding, _ := charset.Lookup(name)
	size, _ := io.Copy(io.Discard, encoding.NewDecoder().Reader(bytes.NewReader(body)))
	return size
}

// decode returns body in UTF-8; size is the length of the result, in bytes. Invalid bytes become U+FFFD.
func decode(body []byte, name string, size int64) []byte {
	encoding, _ := charset.Lookup(name)
	// Decoders replace invalid bytes and never fail. They need spare room for one more character at the end.
	text, _, _ := transform.Append(encoding.NewDecoder(), make([]byte, 0, size+utf8.UTFMax), body)
	return text
}

// inCharset encodes the non-ASCII letters in the query of the link href. name is the encoding of the page and
// of the result. A letter that the encoding lacks becomes "&#", its number and ";". For UTF-16, the
// query stays in UTF-8 (WHATWG Encoding, "get an output encoding").
func inCharset(name, href string) string {
	if name == "" || name == "utf-8" || name == "replacement" || strings.HasPrefix(name, "utf-16") {
		return href
	}
	encoding, _ := charset.Lookup(name)
	return weburl.EncodeQuery(href, func(letters string) string {
		encoded, _ := encoding.NewEncoder().String(letters) // never fails: it replaces unknown characters
		return encoded
	})
}

func markedCharset(body []byte) (name string, length int) {
	for _, mark := range [...][2]string{{"utf-8", "\xEF\xBB\xBF"}, {"utf-16be", "\xFE\xFF"}, {"utf-16le", "\xFF\xFE"}} {
		if bytes.HasPrefix(body, []byte(mark[1])) {
			return mark[0], len(mark[1])
		}
	}
	return "", 0
}

func knownCharset(label string) string {
	_, name := charset.Lookup(label)
	return name
}

// charsetPattern finds the label in a value such as "text/html; charset=utf-8" (HTML standard, "extracting a
// character encoding from a meta element"). Unlike package mime it accepts malformed text around the label.
var charsetPattern = regexp.MustCompile(
	`(?i)charset[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^"'\t\n\f\r ;][^\t\n\f\r ;]*))`)

var xmlPattern = regexp.MustCompile(`^<\?xml[^>]*?encoding[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^">]*)"|'([^'>]*)')[^>]*>`)

// declaredCharset returns the encoding that a meta element names, or else the XML declaration. If neither
// does, it returns "" (HTML standard, "prescan a byte stream to determine its encoding"). As in the
// standard, a meta element inside a script counts too.
func declaredCharset(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("<\x00?\x00x\x00")):
		return "utf-16le"
	case bytes.HasPrefix(head, []byte("\x00<\x00?\x00x")):
		return "utf-16be"
	}
	z := html.NewTokenizer(bytes.NewReader(head))
	for kind := z.Next(); kind != html.ErrorToken; kind = z.Next() {
		z.NextIsNotRawText()
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		tag := z.Token()
		if tag.DataAtom != atom.Meta {
			continue
		}
		n := &html.Node{Attr: tag.Attr}
		label := Attr(n, "charset")
		if label == "" && strings.EqualFold(Attr(n, "http-equiv"), "content-type") {
			label = captured(charsetPattern, Attr(n, "content"))
		}
		if name := knownCharset(label); name != "" {
			return asciiCompatible(name)
		}
	}
	return asciiCompatible(knownCharset(captured(xmlPattern, string(head))))
}

// asciiCompatible returns the encoding to use for a declared encoding, as in the HTML standard. UTF-16
// becomes UTF-8, because a declaration that was readable as ASCII can't be in UTF-16.
func asciiCompatible(name string) string {
	switch name {
	case "utf-16le", "utf-16be":
		return "utf-8"
	case "x-user-defined":
		return fallbackCharset
	}
	return name
}
