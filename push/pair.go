package push

// pair returns for each key that was sent the row that answers it, nil where none
// does: the only row with that key, else, when there are as many rows as keys, the
// row in its place unless that row names another key. Two rows with one key prove
// nothing.
func pair[T any](sent []string, rows []T, key func(T) string) []*T {
	known := make(map[string]bool, len(sent))
	for _, k := range sent {
		known[k] = true
	}
	byKey := make(map[string]*T, len(rows))
	for i := range rows {
		k := key(rows[i])
		if _, twice := byKey[k]; twice {
			byKey[k] = nil
			continue
		}
		byKey[k] = &rows[i]
	}
	paired := make([]*T, len(sent))
	for i, k := range sent {
		row, found := byKey[k]
		if !found && len(rows) == len(sent) && !known[key(rows[i])] {
			row = &rows[i]
		}
		paired[i] = row
	}
	return paired
}
