package search

// distance returns how many letters have to be put in, taken out, replaced or swapped with
// the next one to make one word of the other (optimal string alignment), or more than most
// when it is more. With begin the end of b does not count.
// agext/levenshtein, which finds the nearest name elsewhere, knows neither swapped letters nor
// beginnings.
func distance(a, b []rune, most int, begin bool) int {
	if len(a)-len(b) > most || !begin && len(b)-len(a) > most {
		return most + 1
	}
	b = b[:min(len(b), len(a)+most)] // what is behind can't matter
	var rows [3][80]int
	if len(b) >= len(rows[0]) {
		return most + 1
	}
	for j := range b {
		rows[0][j+1] = j + 1
	}
	row := &rows[0]
	for i := range a {
		before, last := &rows[(i+2)%3], row
		row = &rows[(i+1)%3]
		row[0] = i + 1
		least := row[0]
		for j := range b {
			cost := last[j]
			if a[i] != b[j] {
				cost = min(cost, last[j+1], row[j]) + 1
				if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
					cost = min(cost, before[j-1]+1)
				}
			}
			row[j+1] = cost
			least = min(least, cost)
		}
		if least > most {
			return most + 1
		}
	}
	if !begin {
		return row[len(b)]
	}
	least := row[0]
	for _, cost := range row[1 : len(b)+1] {
		least = min(least, cost)
	}
	return least
}
