// Package report shows a run or a plan: as text for people, as JSON for scripts, as an HTML page
// to pass on, and as CSV for a table. All formats show the same Run in the same order: a summary
// sentence, problems, held changes, deletes, moves, changes, new documents, warnings. Reports
// stream the changes, so their memory does not grow with the number of changes.
//
// Text from a site or a service passes through Clean before it reaches a terminal. Functions write
// to the given writer and keep nothing. A writer must be used by one goroutine at a time. Callers
// are responsible for the facts of a run.
package report
