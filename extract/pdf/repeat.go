package pdf

import (
	"slices"
	"strconv"
	"strings"
)

const (
	edge     = 2 // lines at the top and at the bottom of a page that may be its head or foot
	fewPages = 3 // in fewer, nothing repeats
)

// withoutRepeated leaves out the lines that head or foot most pages, the page's
// number aside, all but the first time. A page's lines are cut, not copied.
func withoutRepeated(pages [][]line) [][]line {
	if len(pages) < fewPages {
		return pages
	}
	count := map[string]int{}
	for i, lines := range pages {
		n := min(edge, len(lines))
		for _, l := range slices.Concat(lines[:n], lines[max(n, len(lines)-edge):]) {
			for _, form := range forms(l.text, i) {
				count[form]++
			}
		}
	}
	met := map[string]bool{}
	kept := make([][]line, len(pages))
	for i, lines := range pages {
		kept[i] = trimmed(lines, func(l line) bool {
			for _, form := range forms(l.text, i) {
				if count[form]*2 > len(pages) {
					again := met[form]
					met[form] = true
					return again
				}
			}
			return false
		})
	}
	return kept
}

// trimmed leaves out what repeats at the edges of a page.
func trimmed(lines []line, repeats func(line) bool) []line {
	for n := 0; n < edge && len(lines) > 0 && repeats(lines[0]); n++ {
		lines = lines[1:]
	}
	for n := 0; n < edge && len(lines) > 0 && repeats(lines[len(lines)-1]); n++ {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// forms are the ways in which a line may repeat on page i: as it stands, and with
// its first or last number going on by one from page to page.
func forms(s string, i int) []string {
	all := []string{s}
	digits := func(r rune) bool { return r >= '0' && r <= '9' }
	for _, at := range []int{strings.IndexFunc(s, digits), strings.LastIndexFunc(s, digits)} {
		if at < 0 {
			break
		}
		from := at - len(s[:at]) + len(strings.TrimRightFunc(s[:at], digits))
		to := at + len(s[at:]) - len(strings.TrimLeftFunc(s[at:], digits))
		if n, err := strconv.Atoi(s[from:to]); err == nil {
			form := s[:from] + "\x00" + strconv.Itoa(n-i) + "\x00" + s[to:]
			if !slices.Contains(all, form) {
				all = append(all, form)
			}
		}
	}
	return all
}
