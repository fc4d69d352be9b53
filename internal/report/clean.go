package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Clean returns s with every character that could move a terminal's cursor,
// change its colours or reverse its text written as an escape.
func Clean(s string) string {
	if !strings.ContainsFunc(s, unsafeRune) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unsafeRune(r) {
			fmt.Fprintf(&b, runeEscape(r), r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cleanJSON is Clean for JSON, where such a character can only stand in a string: it
// means the same as before.
func cleanJSON(raw []byte) string {
	s := string(raw)
	if !strings.ContainsFunc(s, unsafeRune) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !unsafeRune(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// unsafeRune reports control, format (which holds the bidirectional overrides)
// and unassigned separators, and bytes that are no UTF-8.
func unsafeRune(r rune) bool {
	return r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// CleanLines is Clean for text of several lines, whose breaks stay.
func CleanLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Clean(lines[i])
	}
	return strings.Join(lines, "\n")
}

// runeEscape is the form of an escape, as Go writes it: eight digits where four
// are too few.
func runeEscape(r rune) string {
	if r > 0xffff {
		return `\U%08x`
	}
	return `\u%04x`
}
