package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type line struct {
	text  string // set by finish, which also sets words to nil
	words []word
	turn  float64 // angle of the baseline in degrees, counterclockwise
	y     float64 // position of the baseline, measured at a right angle to it
	size  float64 // font size of the first character
}

// word is a text between two spaces. from and to are its begin and end along the line, in reading direction.
type word struct {
	text      string
	from, to  float64
	generated bool // PDFium added the space before the word (set only beside letters such as Chinese)
}

// appendRune appends the text of a character to b, if it has any. space reports that the character stands for
// a space, as control characters and characters for private use do.
func appendRune(b []byte, r rune) (text []byte, space bool) {
	switch {
	case r == joined, r == '\u2010', r == '\u2011':
		r = '-'
	case r == 0, r == utf8.RuneError:
		return b, false
	case r <= ' ', unicode.IsSpace(r), unicode.In(r, unicode.Co):
		return b, true
	}
	return utf8.AppendRune(b, r), false
}

// accents lists the accents that TeX draws over letters; combining has their Unicode forms, in this order.
const (
	accents   = "`´ˆ˜¯˘˙¨˚˝ˇ¸"
	combining = "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327"
)

// accented returns a letter with an accent, or the letter alone if Unicode has no such character.
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

func (l *line) letterWidth() float64 {
	count, width := 0, 0.0
	for _, w := range l.words {
		count += utf8.RuneCountInString(w.text)
		width += w.to - w.from
	}
	return width / float64(max(1, count))
}

// finish makes the text of a line from its words. It leaves out spaces that PDFium added between Chinese or
// similar characters. It also leaves out a hyphen that some programs draw after a soft hyphen.
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

// isDense reports whether a character is of a script without spaces, such as Chinese, punctuation included.
func isDense(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) && r >= 0x2e80 ||
		r >= 0x3000 && r < 0x3040 || r >= 0xff00 && r < 0xff66
}
