package store

// edits returns the edit distance of two words, in which a swap of neighbouring letters counts as one edit.
// If the distance exceeds most, the result is some number above most.
func edits(a, b []rune, most int) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case a[0] == b[0]:
		return edits(a[1:], b[1:], most)
	case most == 0:
		return 1
	}
	least := min(edits(a[1:], b, most-1), edits(a, b[1:], most-1), edits(a[1:], b[1:], most-1))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		least = min(least, edits(a[2:], b[2:], most-1))
	}
	return 1 + least
}
