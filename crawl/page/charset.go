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
	fallbackCharset = "windows-1252" // what browsers take a page for of which nothing tells more
	prescanWindow   = 64 << 10       // bytes that are searched for a declaration: browsers begin anew at a late one
	guessWindow     = 64 << 10       // bytes from the first letter beyond ASCII that a guess goes by
	leastGuess      = 10             // of 100: what the detector says of a handful of letters
	fewBad          = 20             // of so many letters one may be damaged, in text that is in its encoding
	// htmlSpace is ASCII white space as HTML has it.
	htmlSpace = "\t\n\f\r "
)

// encodingOf returns body without its byte order mark, its encoding, and whether it must be
// decoded. The first of these that says anything decides (WHATWG HTML, "encoding sniffing
// algorithm"): the mark, the charset of contentType, the body itself when it is UTF-8 beyond
// ASCII, a declaration at its start, a guess by its letters.
func encodingOf(body []byte, contentType string) (text []byte, is document.Charset, foreign bool) {
	name, mark := markedCharset(body)
	text = body[mark:]
	name = cmp.Or(name, knownCharset(captured(charsetPattern, contentType)))
	letters, bad, valid := 0, 0, utf8.Valid(text)
	if !valid {
		letters, bad = countLetters(text)
	}
	ascii := valid && name != "utf-8" && utf8.RuneCount(text) == len(text)
	if name == "" && !ascii && letters >= 4*bad { // no other encoding looks so by chance
		name = "utf-8"
	}
	if name == "" {
		name = declaredCharset(text[:min(len(text), prescanWindow)])
	}
	switch isText := !ascii && bytes.IndexByte(text, 0) < 0; {
	case isText && name == "":
		name = guessCharset(text)
		is.Doubt = fmt.Sprintf("it names no charset, and its letters look like %s: name the charset in Content-Type", name)
	case isText && name == "utf-8" && fewBad*bad > letters:
		is.Doubt = fmt.Sprintf("it was read as UTF-8, which %s of it can't be; its letters look like %s: "+
			"name that in Content-Type, or save the page as UTF-8", document.Count(bad, "byte"), guessCharset(text))
	}
	is.Name = cmp.Or(name, fallbackCharset)
	switch is.Name {
	case "utf-8":
		return text, is, !valid
	case "utf-16le", "utf-16be", "replacement", "iso-2022-jp": // do not extend ASCII
		return text, is, true
	}
	return text, is, !ascii
}

// countLetters returns how many characters beyond ASCII a text has, and how many damaged ones or
// controls.
func countLetters(text []byte) (letters, bad int) {
	for size := 0; len(text) > 0; text = text[size:] { // not as a string, which is a copy
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

// guessCharset returns the encoding that the letters of a text look like: the most likely one
// in which they are letters, and the first by name of two that are as likely.
func guessCharset(text []byte) string {
	from := bytes.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf })
	text = text[from:min(len(text), from+guessWindow)]
	likely, _ := chardet.NewHtmlDetector().DetectAll(text) // none where it errs
	slices.SortFunc(likely, func(a, b chardet.Result) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Charset, b.Charset))
	})
	for _, guess := range likely {
		name := knownCharset(guess.Charset)
		if guess.Confidence <= leastGuess || name == "" || name == "utf-8" { // which it is not
			continue
		}
		if letters, bad := countLetters(decode(text, name, decodedSize(text, name))); fewBad*bad <= letters {
			return name
		}
	}
	return fallbackCharset
}

// decodedSize returns how many bytes body has in UTF-8, and takes hardly any memory to know.
func decodedSize(body []byte, name string) int64 {
	encoding, _ := charset.Lookup(name)
	size, _ := io.Copy(io.Discard, encoding.NewDecoder().Reader(bytes.NewReader(body))) // as decode: none fails
	return size
}

// decode returns body in UTF-8, size bytes; those that its encoding does not know become U+FFFD.
func decode(body []byte, name string, size int64) []byte {
	encoding, _ := charset.Lookup(name)
	// Decoders replace what they can't read; none fails. They want room for a letter at the end.
	text, _, _ := transform.Append(encoding.NewDecoder(), make([]byte, 0, size+utf8.UTFMax), body)
	return text
}

// inCharset returns a link as a page in the encoding name means it: letters in its query are
// encoded in that, UTF-8 for UTF-16 (WHATWG Encoding, "get an output encoding"). A letter that
// the encoding lacks becomes "&#", its number and ";".
func inCharset(name, href string) string {
	if name == "" || name == "utf-8" || name == "replacement" || strings.HasPrefix(name, "utf-16") {
		return href
	}
	encoding, _ := charset.Lookup(name)
	return weburl.EncodeQuery(href, func(letters string) string {
		encoded, _ := encoding.NewEncoder().String(letters) // it has something for each
		return encoded
	})
}

// markedCharset returns the encoding that a byte order mark names, and the
// length of the mark.
func markedCharset(body []byte) (name string, length int) {
	for _, mark := range [...][2]string{{"utf-8", "\xEF\xBB\xBF"}, {"utf-16be", "\xFE\xFF"}, {"utf-16le", "\xFF\xFE"}} {
		if bytes.HasPrefix(body, []byte(mark[1])) {
			return mark[0], len(mark[1])
		}
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
