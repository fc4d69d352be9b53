package tally

import (
	"encoding/binary"

	"sitesync/internal/document"
	"sitesync/internal/judge"
)

// Copies counts equal contents in constant memory. Where two contents share a cell
// it counts too many: a change more is held for a night.
type Copies struct {
	cells [1 << 22]uint8
}

// Cell returns the count of a content.
func (c *Copies) Cell(sum document.Hash) *uint8 {
	return &c.cells[binary.BigEndian.Uint32(sum[:])%uint32(len(c.cells))]
}

// Add counts a content, judge.ManyPages at most.
func (c *Copies) Add(sum document.Hash) {
	if cell := c.Cell(sum); !sum.IsZero() && *cell < judge.ManyPages {
		*cell++
	}
}

// sumOf returns a Body in the form of the contents that copies count.
func sumOf(body judge.Body) (sum document.Hash) {
	binary.BigEndian.PutUint64(sum[:], uint64(body)*0x9E3779B97F4A7C15) // the upper half is to differ where the whole does
	return sum
}

// AddBody counts what a page says.
func (c *Copies) AddBody(body judge.Body) { c.Add(sumOf(body)) }

// Of returns how many pages were read that say what a change would put, judge.ManyPages
// at most.
func (c *Copies) Of(body judge.Body) int {
	if c == nil || body == 0 {
		return 0
	}
	return int(*c.Cell(sumOf(body)))
}
