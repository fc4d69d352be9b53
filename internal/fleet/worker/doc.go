// Package worker takes due sites from the queue. For each site it takes a lease (the right to run the site),
// runs the command sync, and stores the results. One worker at a time has the lease of a site. A worker whose
// lease may have ended sends and stores nothing more.
//
// If a worker dies, the next worker starts from the last committed ledger (what the index holds). It marks the
// documents that the dead worker may have sent as in doubt (outcome unknown). A worker acknowledges the
// message of a due site only after it has stored the result. So a site may be run twice, but no due site is
// forgotten. Package site decides when a site is due. A Worker is safe for concurrent use.
package worker
