// Package worker takes due sites from the queue, runs each under its lease with the pipeline
// that sync runs, and hands back ledger, result and report.
//
// It guarantees that a site is run by one worker at a time, that nothing is sent and nothing
// committed once the lease may be another's, and that a worker may die at any instant: another
// one goes on with the ledger that was committed last, in which it puts in doubt what that worker
// had planned to send. A due time is acknowledged after its result was committed, so it may be repeated
// and is never lost.
//
// It leaves to others when a site is due (site), what a run does (its Pipeline), and how ledgers
// and plans are stored (snapshot). A Worker is safe for concurrent use.
package worker
