// Package snapshot keeps files of a site, such as its ledger, in the stream bus.Files, and the
// last ledger of each site on this machine (Cache). A file is cut into parts of one size; a
// part is stored once and stays where it is for as long as the file has it, so a night that
// changes little moves little.
//
// It guarantees that what Get returned is, byte for byte, what Put stored; that whoever reads
// needs no more memory or disk than the state of the site says; and that a worker that sweeps
// late removes nothing that a later one refers to. A Cache removes no ledger that was
// committed unless the fleet has that one or a later one. It leaves to others which file a site has:
// that is what its state says (internal/fleet/lease), and what no state names is nothing.
//
// A Store is safe for concurrent use, and so is a Cache for different sites; whoever uses the
// folder of a site has its lease.
package snapshot
