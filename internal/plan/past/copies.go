package past

// Copies counts equal values, up to two of each, in constant memory. Where others share both
// cells of a value it counts too many: at a million values, of one in seven.
type Copies struct {
	cells [1 << 22]uint8
}

const (
	factor     = 0x9E3779B97F4A7C15 // any large odd number
	cellBits   = 22
	otherShift = 64 - cellBits
)

// Add counts a value; 0 is none.
func (c *Copies) Add(value uint64) {
	a, b := c.of(value)
	if value != 0 && *a < 2 {
		*a++
	}
	if value != 0 && a != b && *b < 2 {
		*b++
	}
}

// Of returns how often a value was added: 0, 1 or 2 for more.
func (c *Copies) Of(value uint64) int {
	if c == nil || value == 0 {
		return 0
	}
	a, b := c.of(value)
	return int(min(*a, *b))
}

func (c *Copies) of(value uint64) (a, b *uint8) {
	mixed := value * factor
	return &c.cells[mixed>>otherShift], &c.cells[mixed*factor>>otherShift]
}
