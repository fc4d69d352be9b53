package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Folder gathers text in one buffer: white space folded, control characters and
// invalid bytes left out. The zero value is ready.
type Folder struct {
	Buf   []byte
	Start int  // where the open block begins in Buf: no space before it
	Space bool // white space is due before the next character
	Seen  int  // bytes that came in
	Bad   int  // characters among them that no text has
}

// Write adds text to the open block.
func (f *Folder) Write(s string) {
	f.Seen += len(s)
	for i := 0; i < len(s); {
		if size := f.plain(s[i:]); size > 0 {
			if f.Space && len(f.Buf) > f.Start {
				f.Buf = append(f.Buf, ' ')
			}
			f.Space = false
			f.Buf = append(f.Buf, s[i:i+size]...)
			i += size
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r): // NBSP, NEL and the line separators too
			f.Space = true
		case isBad(r, size):
			f.Bad++
		}
		i += size
	}
}

// plain returns how many bytes at the beginning of s are text as it stands:
// words, and single spaces between them.
func (f *Folder) plain(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c > ' ' && c < 0x7f || c == ' ' && i > 0 && i+1 < len(s) && s[i+1] > ' ' && s[i+1] < 0x7f {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			return i
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r) || isBad(r, size):
			return i
		case r == 0xad || r == 0x200b || r == 0x2060 || r == 0xfeff: // soft hyphen, zero-width space, word joiner, BOM
			return i
		case r == utf8.RuneError:
			f.Bad++
		}
		i += size
	}
	return len(s)
}

// isBad reports whether no text has a character.
func isBad(r rune, size int) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && size <= 1
}

// Clean folds s into one line as a Folder does.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	f := Folder{Buf: make([]byte, 0, len(s))}
	f.Write(s)
	return string(f.Buf)
}

func isClean(s string) bool {
	space := true
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c >= 0x7f || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return !space || s == ""
}

// Clip cuts s to at most size bytes on a rune boundary.
func Clip(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return strings.TrimRight(s[:size], " ")
}

// HasLetter reports whether s holds a letter.
func HasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// IsSeparator reports whether s begins with what divides a page's name from its
// site's. A hyphen or a slash divides only between spaces.
func IsSeparator(s string) bool {
	after := strings.TrimLeft(s, " ")
	r, size := utf8.DecodeRuneInString(after)
	if strings.ContainsRune("-/", r) {
		return len(after) < len(s) && strings.HasPrefix(after[size:], " ")
	}
	return strings.ContainsRune("|–—·•:»›«‹~", r)
}
