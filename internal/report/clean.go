package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Clean returns s with every character that could move a terminal's cursor, change its
// colours or reverse its text written as Go escapes it.
func Clean(s string) string {
	return escape(s, func(r rune) string { return fmt.Sprintf(`\U%08x`, r) })
}

// CleanLines is Clean for text of several lines, whose breaks stay.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// cleanJSON is Clean for JSON, where such a character can only stand in a string: it
// means the same as before.
func cleanJSON(raw []byte) string {
	return escape(string(raw), func(r rune) string {
		high, low := utf16.EncodeRune(r)
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	})
}

// escape writes unsafe characters as they are escaped; wide does that for those beyond
// U+FFFF.
func escape(s string, wide func(rune) string) string {
	if !strings.ContainsFunc(s, unsafeRune) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unsafeRune(r):
			b.WriteRune(r)
		case r > 0xffff:
			b.WriteString(wide(r))
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// unsafeRune reports control, format (which holds the bidirectional overrides)
// and unassigned separators, and bytes that are not UTF-8.
func unsafeRune(r rune) bool {
	if r < 0x7f {
		return r < ' '
	}
	return r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
