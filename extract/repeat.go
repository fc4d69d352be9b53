package extract

// Bounds of a link that stands in each item of a list: "Reply", "Add to basket".
const (
	maxAction   = 40 // bytes
	leastAction = 3  // times
)

// withoutActions cuts out the blocks that are one short link which the page
// repeats.
func (w *walker) withoutActions(ranges []span) []span {
	count := make(map[string]int)
	w.eachAction(ranges, func(_ int, text string) { count[text]++ })
	var cuts []span
	size := 0
	w.eachAction(ranges, func(i int, text string) {
		if count[text] >= leastAction {
			cuts, size = append(cuts, span{i, i + 1}), size+len(text)
		}
	})
	if len(cuts) == 0 || size*3 > w.text.size(ranges) {
		return ranges
	}
	return subtract(ranges, cuts)
}

func (w *walker) eachAction(ranges []span, do func(block int, text string)) {
	for _, r := range ranges {
		for i := r.from; i < r.to; i++ {
			s := w.text.spans[i]
			if size := s.to - s.from; size <= maxAction && w.text.linked[i] > 0 && w.text.linked[i]+3 >= size {
				do(i, string(w.text.buf[s.from:s.to]))
			}
		}
	}
}
