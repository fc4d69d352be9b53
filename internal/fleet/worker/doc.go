// Package worker takes due sites from the queue. For each site it takes a lease (the right to run the site),
// runs the command sync, and stores the results. One worker at a time runs a site. A worker sends and commits
// nothing once another worker may have the lease. If a worker dies, another worker continues with the newest
// committed ledger (what the index holds). It marks the documents that the dead worker may have sent as in
// doubt (outcome unknown). A worker commits the result before it acknowledges the message of a due site. So a
// site may be run twice, but no due site is forgotten.
//
// Package site decides when a site is due, and a Pipeline does the run. Package snapshot stores ledgers and
// plans (changes to send). A Worker is safe for concurrent use.
package worker
