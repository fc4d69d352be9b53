package testsite

import (
	"strings"
	"unicode"
)

// WordF1 returns the harmonic mean of precision and recall of the words of got
// against those of want, 0 to 1, as bags: order does not count, number does. Words
// are runs of letters and digits, in lower case.
func WordF1(got, want string) float64 {
	bag := map[string]int{}
	all := bagOf(want)
	for _, word := range all {
		bag[word]++
	}
	found, mine := 0, bagOf(got)
	for _, word := range mine {
		if bag[word] > 0 {
			bag[word]--
			found++
		}
	}
	if len(mine)+len(all) == 0 {
		return 1
	}
	return 2 * float64(found) / float64(len(mine)+len(all))
}

func bagOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}
