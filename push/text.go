package push

import (
	"strconv"
	"strings"
	"unicode"
)

// maxQuote is how many bytes of a foreign text an error or a reason repeats.
const maxQuote = 300

const ellipsis = "…"

// printable returns s with everything that is no visible character or space
// escaped, at most maxQuote bytes long.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		piece := string(r)
		if !unicode.IsPrint(r) {
			piece = strings.Trim(strconv.QuoteRune(r), "'")
		}
		if b.Len()+len(piece) > maxQuote-len(ellipsis) {
			b.WriteString(ellipsis)
			break
		}
		b.WriteString(piece)
	}
	return b.String()
}
