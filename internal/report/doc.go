// Package report shows a run (a crawl and what it sent to the search index) or a plan (what a run would send)
// as text for people, JSON for scripts, an HTML page to pass on, and CSV for a table. All show the same Run
// in the same order: a summary sentence, problems, held changes (stopped by a limit, a brake), deletes,
// moves, changes, new documents, warnings. Reports stream the changes, so their memory does not grow with the
// number of changes.
//
// Text from a site or a service passes through Clean before it reaches a terminal. Functions write to the
// given writer and keep nothing. A writer must be used by one goroutine at a time. Facts are not checked.
package report
