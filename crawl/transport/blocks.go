package transport

import (
	_ "embed"
	"net/netip"
)

// blockOpening is what opens a special-purpose block to a start host.
type blockOpening string

const (
	byStart   blockOpening = "start"   // a start address that names it, at its port
	byNetwork blockOpening = "network" // fetch.networks
	byAddress blockOpening = "address" // fetch.networks, by the single address only
)

// specialBlock is a block of addresses that is not part of the public Internet.
type specialBlock struct {
	prefix netip.Prefix
	opens  blockOpening
	name   string
}

//go:embed blocks.txt
var blocksText string
