// Package worker takes due sites from the queue, runs each under its lease with the command sync, and
// stores ledger, result and report.
//
// It guarantees that one worker at a time runs a site, and that a worker sends and commits nothing once
// its lease may be another's. A worker may die at any instant: another one continues with the ledger
// that was committed last, in which it puts the documents of the dead worker's plan in doubt. A due
// time is acknowledged after its result was committed, so it may be repeated and is never lost.
//
// It leaves to others when a site is due (site), what a run does (its Pipeline), and how ledgers and
// plans are stored (snapshot). A Worker is safe for concurrent use.
package worker
