package content

import "slices"

// Bounds of a link that stands in each item of a list: "Reply", "Add to basket".
const (
	maxAction   = 40 // bytes
	leastAction = 3  // times
)

// withoutActions cuts out the blocks that are one short link which the page
// repeats.
func (t *writer) withoutActions(ranges []span) []span {
	actions := map[string][]span{}
	for _, r := range ranges {
		for i := r.from; i < r.to; i++ {
			if text := t.block(i); len(text) <= maxAction && t.linked[i] > 0 && t.linked[i]+3 >= len(text) {
				actions[string(text)] = append(actions[string(text)], span{i, i + 1})
			}
		}
	}
	var cuts []span
	size := 0
	for text, blocks := range actions {
		if len(blocks) >= leastAction {
			cuts, size = append(cuts, blocks...), size+len(blocks)*len(text)
		}
	}
	if len(cuts) == 0 || size*3 > t.size(ranges) {
		return ranges
	}
	slices.SortFunc(cuts, func(a, b span) int { return a.from - b.from })
	return subtract(ranges, cuts)
}
