// Package snapshot keeps files of a site, such as its ledger, in the stream bus.Files, and the
// last ledger of each site on this machine (Cache). A file is cut into parts of one size; a
// part is stored once and stays where it is for as long as the file has it, so a night that
// changes little moves little.
//
// It guarantees that Get returns, byte for byte, the file that Put stored; that a reader needs no more
// memory or disk than the state of the site says; and that a worker that sweeps late removes nothing
// that a later file refers to. A Cache removes a committed ledger only if the fleet has that one or a
// later one. Which file a site has is said by its state (internal/fleet/lease) alone.
//
// A Store is safe for concurrent use, and so is a Cache for different sites. Whoever uses the folder
// of a site has its lease.
package snapshot
