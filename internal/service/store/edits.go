package store

import "github.com/agext/levenshtein"

// edits is the SQL function for the edit distance of two words. Swapped neighbouring letters are one edit.
func edits(a, b string) int {
	distance, from := levenshtein.Distance(a, b, nil), []rune(a)
	for i := 1; i < len(from) && distance == 2; i++ {
		from[i-1], from[i] = from[i], from[i-1]
		if string(from) == b {
			return 1
		}
		from[i-1], from[i] = from[i], from[i-1]
	}
	return distance
}
