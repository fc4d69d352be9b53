package past

// Copies counts how often each value was added, up to 2. It is a counting Bloom filter of 1 MB. A count is
// too high if other values use both cells of its value. With a million values, this is so for one in seven.
type Copies struct {
	cells [1 << (cellBits - 2)]uint8 // four cells in a byte
}

const (
	factor   = 0x9E3779B97F4A7C15 // any large odd number
	cellBits = 22
)

// Add counts value. It ignores 0.
func (c *Copies) Add(value uint64) {
	a, b := cellsOf(value)
	for _, cell := range [...]uint64{a, b} {
		if value != 0 && c.at(cell) < 2 {
			c.cells[cell/4] += 1 << (cell % 4 * 2)
		}
		if a == b {
			return
		}
	}
}

// Of returns how often value was added: 0, 1, or 2 for more than once.
func (c *Copies) Of(value uint64) int {
	if c == nil || value == 0 {
		return 0
	}
	a, b := cellsOf(value)
	return int(min(c.at(a), c.at(b)))
}

func (c *Copies) at(cell uint64) uint8 { return c.cells[cell/4] >> (cell % 4 * 2) & 3 }

func cellsOf(value uint64) (a, b uint64) {
	mixed := value * factor
	return mixed >> (64 - cellBits), mixed * factor >> (64 - cellBits)
}
