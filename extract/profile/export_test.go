package profile

// Bounds that the tests go up to.
const (
	MaxParts  = maxParts
	LeastRich = leastRich
)
