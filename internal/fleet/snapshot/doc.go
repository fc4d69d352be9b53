// Package snapshot keeps files of a site, such as its ledger, in the stream bus.Files, and the last ledger of
// each site on this machine (Cache). A file is cut into parts of one size. A part is stored once, and later
// files refer to it, so a night with few changes transfers few parts.
//
// It guarantees that Get returns, byte for byte, the file that Put stored. A reader needs no more memory or
// disk than the state of the site says. A worker that sweeps late removes nothing that a later file refers
// to. A Cache removes a committed ledger only if the fleet has that ledger or a later one. Only the state of
// a site (internal/fleet/lease) says which file the site has.
//
// A Store is safe for concurrent use, and so is a Cache for different sites. Whoever uses the folder of a
// site has its lease.
package snapshot
