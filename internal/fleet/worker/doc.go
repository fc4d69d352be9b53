// Package worker takes due sites from the queue, runs sync for each under its lease, and stores the results.
//
// It guarantees that one worker at a time runs a site. A worker sends and commits nothing once another worker
// may have its lease. A worker may die at any instant: another worker continues with the ledger that was
// committed last, and puts the documents of the dead worker's plan in doubt. A due time is acknowledged after
// its result was committed, so a run may be repeated and is never lost.
//
// It leaves to others when a site is due (site), what a run does (Pipeline), and how ledgers and plans are
// stored (snapshot). A Worker is safe for concurrent use.
package worker
