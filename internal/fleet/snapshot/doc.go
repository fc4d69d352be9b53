// Package snapshot keeps files of a site, such as its ledger (the database of what its index holds), in the
// stream bus.Files. Its Cache keeps the newest ledger of each site on this machine. A file is cut into parts
// of one size. A part is stored once, and later files refer to it, so a run with few changes transfers few
// parts.
//
// Get returns, byte for byte, the file that Put stored. The size in the site's state limits the memory and
// disk that Get uses. Sweep removes no part of a later file, even if Sweep runs late. A Cache removes a
// committed ledger only if the servers have that ledger or a later version. Only the state of a site
// (internal/fleet/lease) says which file the site has. A Store is safe for concurrent use. A Cache is safe
// for concurrent use with different sites. Only the worker that may run a site may use the site's folder.
package snapshot
