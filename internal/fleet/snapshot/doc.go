// Package snapshot stores files of sites, such as ledgers (databases of what an index holds). A Store keeps
// them in the stream bus.Files. A Cache keeps the newest ledger of each site on this machine. A Store cuts a
// file into parts of one size. It stores a part anew only if the part has changed, so a run with few changes
// transfers few parts.
//
// Get returns, byte for byte, the file that Put stored. The file's size in the site's state limits the memory
// and disk that Get uses. Sweep removes no part of a later file, even if it runs late. A Cache removes a
// committed ledger only if the servers have it or a later version. Only the state of a site
// (internal/fleet/lease) says which file the site has. A Store is safe for concurrent use. A Cache is safe
// for concurrent use with different sites. Only the worker that may run a site may use the site's folder.
package snapshot
