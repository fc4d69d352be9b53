// Package report shows a run or a plan: as text for people, as JSON for scripts, as an HTML page
// to pass on, and as CSV for a table. All formats show the same Run, in the order in which a
// person asks: the Sentence, problems, held changes, deletes, moves, changes, new documents,
// warnings. It does not hold the changes in memory: a run of a million takes no more than one of
// ten.
//
// Text from a site or a service goes through Clean before it reaches a terminal. Functions write
// to the given writer and keep nothing; use one writer from one goroutine at a time. Callers are
// responsible for the facts of a run.
package report
