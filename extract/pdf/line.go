package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// line is one line of a page, or of a column of it.
type line struct {
	text  string  // when all is known of its place
	words []word  // until then
	turn  float64 // of its baseline, in degrees to the left
	y     float64 // of its baseline, upwards when the line is level
	size  float64 // of its first character, as the font names it
}

// word is what stands between two spaces. Places are along the line, in the direction
// in which it is read.
type word struct {
	text      string
	from, to  float64
	generated bool // the space before it was a distance, beside a character of a dense script
}

// appendRune adds a character's text, if it has any, or reports that it is a space, as
// is every control that has a meaning in no encoding.
func appendRune(b []byte, r rune) (text []byte, space bool) {
	switch {
	case r == joined, r == '\u2010', r == '\u2011': // hyphens by other names
		r = '-'
	case r == 0, r == utf8.RuneError:
		return b, false
	case r <= ' ', unicode.IsSpace(r), unicode.In(r, unicode.Co):
		return b, true
	}
	return utf8.AppendRune(b, r), false
}

// accents are those that fonts of TeX set over a letter, and what Unicode sets behind it.
const accents, combining = "`´ˆ˜¯˘˙¨˚˝ˇ¸", "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"

// accented returns a letter with an accent, or as it is where there is no such letter.
func accented(accent, letter rune) rune {
	if letter == 'ı' {
		letter = 'i'
	}
	at := utf8.RuneCountInString(accents[:strings.IndexRune(accents, accent)])
	whole := []rune(norm.NFC.String(string(letter) + string([]rune(combining)[at])))
	if len(whole) > 1 {
		return letter
	}
	return whole[0]
}

// letterWidth returns how wide the characters are in the mean.
func (l *line) letterWidth() float64 {
	count, width := 0, 0.0
	for _, w := range l.words {
		count += utf8.RuneCountInString(w.text)
		width += w.to - w.from
	}
	return width / float64(max(1, count))
}

// finish makes the words one text, without spaces that are only apparent, around characters of
// scripts that have none. Some programs draw a hyphen behind a soft one.
func (l *line) finish() {
	var b strings.Builder
	width := l.letterWidth()
	for i, w := range l.words {
		if i > 0 && !(w.generated && w.from-l.words[i-1].to < width*0.6) {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
	}
	l.text, l.words = norm.NFC.String(strings.ReplaceAll(b.String(), "\u00ad-", "\u00ad")), nil
}

// isDense reports whether a character belongs to a script without spaces, punctuation
// included.
func isDense(r rune) bool {
	return r >= 0x2e80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff66)
}
