package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Clean returns s with every character that could move a terminal's cursor, change its
// colours or reverse its text written as JSON escapes it. JSON keeps its meaning: there such
// a character can only stand in a string.
func Clean(s string) string {
	if !strings.ContainsFunc(s, unsafeRune) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if !unsafeRune(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// CleanLines is Clean for text of several lines. Its line breaks stay.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// unsafeRune reports whether r is a control character, a format character such as a bidirectional
// override, a line or paragraph separator, or stands for bytes that are not UTF-8.
func unsafeRune(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
