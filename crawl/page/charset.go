package page

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"mime"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"sitesync/internal/document"
)

const (
	// fallbackCharset is what browsers take an undeclared page for whose letters tell nothing.
	fallbackCharset = "windows-1252"
	// prescanWindow is how many bytes at the start of a page are searched for a
	// declaration. Browsers look at 1,024 first, and begin anew where a later one
	// disagrees; long comments, styles or scripts before the declaration are common.
	prescanWindow = 64 << 10
	// guessWindow is how many bytes from the first letter beyond ASCII a guess goes by.
	guessWindow = 64 << 10
	// leastConfidence, of 100, is what the detector says of a handful of letters.
	leastConfidence = 10
	// Of so many letters beyond ASCII one may be damaged in text that is UTF-8, and one
	// may be in text of that name before it is worth a word.
	leastUTF8, fewDamaged = 4, 20
	// htmlSpace is ASCII white space as HTML has it.
	htmlSpace = "\t\n\f\r "
)

// Decode returns body as UTF-8 and the encoding it was in. The first of these that
// says anything decides, once and for all (WHATWG HTML, "encoding sniffing algorithm"):
// a byte order mark, the charset of contentType, the body itself when it is UTF-8 beyond
// ASCII, a few damaged letters aside, a declaration in its first 64 KiB, a guess by its
// letters, and then windows-1252. What is UTF-8 already is returned as it is, not copied; a
// byte order mark is left out; bytes that the encoding does not know become U+FFFD.
func Decode(body []byte, contentType string) (text []byte, is document.Charset) {
	text, is, foreign := encodingOf(body, contentType)
	if foreign {
		text = decode(text, is.Name)
	}
	return text, is
}

// encodingOf returns body without its byte order mark, its encoding, and whether it must
// be decoded.
func encodingOf(body []byte, contentType string) (text []byte, is document.Charset, foreign bool) {
	name, mark := markedCharset(body)
	text = body[mark:]
	if name == "" {
		name = knownCharset(captured(charsetPattern, contentType))
	}
	ascii := isASCII(text)
	letters, bad := countUTF8(text)
	if name == "" && !ascii && letters >= leastUTF8*bad {
		name = "utf-8"
	}
	if name == "" {
		name = declaredCharset(text[:min(len(text), prescanWindow)])
	}
	isText := !ascii && bytes.IndexByte(text, 0) < 0
	switch {
	case name == "" && isText:
		name = guessCharset(text)
		is.Doubt = fmt.Sprintf("it names no charset, and its letters look like %s: name the charset in Content-Type", name)
	case name == "utf-8" && isText && fewDamaged*bad > letters:
		is.Doubt = fmt.Sprintf("it was read as UTF-8, which %s of it can't be; its letters look like %s: "+
			"name that in Content-Type, or save the page as UTF-8", document.Count(bad, "byte"), guessCharset(text))
	}
	is.Name = cmp.Or(name, fallbackCharset)
	return text, is, isForeign(text, is.Name, ascii, bad)
}

// isForeign reports whether a text in the encoding name must be decoded.
func isForeign(text []byte, name string, ascii bool, bad int) bool {
	foreign := !ascii // in an encoding that extends ASCII
	switch name {
	case "utf-8":
		foreign = bad > 0
	case "utf-16le", "utf-16be", "replacement":
		foreign = len(text) > 0
	case "iso-2022-jp": // switches alphabets by escape sequences of ASCII bytes
		foreign = !ascii || bytes.ContainsAny(text, "\x0e\x0f\x1b")
	}
	return foreign
}

// countUTF8 returns how many letters beyond ASCII a text has in UTF-8, and how many bytes
// that are none. What is UTF-8 as a whole is not counted: both are 0.
func countUTF8(text []byte) (letters, bad int) {
	if utf8.Valid(text) {
		return 0, 0
	}
	for len(text) > 0 {
		c, size := utf8.DecodeRune(text)
		switch {
		case c == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			letters++
		}
		text = text[size:]
	}
	return letters, bad
}

// guessCharset returns the encoding that the letters of a text look like: the most likely
// one in which nearly all of them are letters. Of two that are as likely the first by name is
// taken, so that the same text gives the same.
func guessCharset(text []byte) string {
	from := bytes.IndexFunc(text, func(c rune) bool { return c >= utf8.RuneSelf })
	text = text[from:min(len(text), from+guessWindow)]
	likely, err := chardet.NewHtmlDetector().DetectAll(text)
	if err != nil {
		return fallbackCharset
	}
	slices.SortFunc(likely, func(a, b chardet.Result) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(a.Charset, b.Charset))
	})
	for _, guess := range likely {
		name := knownCharset(guess.Charset)
		if name == "" || name == "utf-8" || guess.Confidence <= leastConfidence { // UTF-8 it is not
			continue
		}
		letters, bad := 0, 0
		for _, c := range string(decode(text, name)) {
			switch {
			case c == utf8.RuneError || c >= 0x80 && c < 0xA0:
				bad++
			case c >= utf8.RuneSelf:
				letters++
			}
		}
		if fewDamaged*bad <= letters {
			return name
		}
	}
	return fallbackCharset
}

func decode(body []byte, name string) []byte {
	encoding, _ := charset.Lookup(name)
	text, _ := encoding.NewDecoder().Bytes(body) // decoders replace what they can't read; none fails
	return text
}

// queryEncoder returns what encodes letters in the queries of a page's links: nil for UTF-8,
// which stands for UTF-16 too (WHATWG Encoding, "get an output encoding"). A letter that the
// encoding lacks becomes "&#", its number and ";".
func queryEncoder(name string) func(letters string) string {
	switch name {
	case "", "utf-8", "utf-16le", "utf-16be", "replacement":
		return nil
	}
	encoding, _ := charset.Lookup(name)
	return func(letters string) string {
		encoded, _ := encoding.NewEncoder().String(letters) // it has something for each
		return encoded
	}
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

// MediaHTML is the media type of a page.
const MediaHTML = "text/html"

// IsHTML reports whether a media type is that of a page.
func IsHTML(media string) bool { return media == MediaHTML || media == mediaXHTML }

// MediaType returns the media type that a Content-Type names; where it names none,
// a mere octet stream, or what servers say that are older than today's formats, the
// path's extension decides.
func MediaType(contentType, urlPath string) string {
	media, _, err := mime.ParseMediaType(contentType)
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) {
		media, _, _ = strings.Cut(contentType, ";")
		media = strings.ToLower(strings.TrimSpace(media))
	}
	switch media {
	case "", "application/octet-stream", "binary/octet-stream", "application/x-download", "application/force-download",
		"application/zip", "application/x-zip-compressed", "application/msword", "application/vnd.ms-powerpoint", "application/vnd.ms-excel":
		switch strings.ToLower(path.Ext(urlPath)) {
		case ".html", ".htm":
			return MediaHTML
		case ".xhtml":
			return mediaXHTML
		}
		return cmp.Or(document.FileMedia(urlPath), media, MediaHTML)
	case "application/x-pdf":
		return document.MediaPDF
	}
	return media
}
