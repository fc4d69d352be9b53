package crawl

import "slices"

const (
	sketchRows = 4
	sketchBits = 16 // of a key, for its place in a row
)

// sketch counts keys in 1 MB, however many there are (a count-min sketch). Counts
// do not depend on the order in which keys were added. With no more keys than
// places they are exact but for rare chance; with more, what others added to a
// key's places is on average taken off again.
type sketch struct {
	rows [sketchRows][1 << sketchBits]uint32
	n    uint64
}

// add counts a key, which must be a hash.
func (s *sketch) add(key uint64) {
	s.n++
	for i := range s.rows {
		s.rows[i][uint16(key>>(sketchBits*i))]++
	}
}

// count returns about how often key was added.
func (s *sketch) count(key uint64) int {
	var cells [sketchRows]uint32
	for i := range s.rows {
		cells[i] = s.rows[i][uint16(key>>(sketchBits*i))]
	}
	return max(0, int(slices.Min(cells[:]))-int(s.n>>sketchBits))
}

func (s *sketch) clear() {
	if s.n > 0 {
		*s = sketch{}
	}
}
