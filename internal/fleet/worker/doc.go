// Package worker takes due sites from the queue, runs the command sync for each under its lease (the right to
// run it), and stores the results. One worker at a time runs a site. A worker sends and commits nothing once
// another worker may have its lease. A worker may die at any instant: another worker continues with the
// ledger (what the index holds) that was committed last. It marks the documents that the dead worker may have
// sent as in doubt (outcome unknown). The message of a due site is acknowledged only after the result was
// committed, so a run may be repeated and is never lost.
//
// Package site decides when a site is due, a Pipeline does the run, and package snapshot stores ledgers and
// plans. A Worker is safe for concurrent use.
package worker
