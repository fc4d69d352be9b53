// Package report shows a run (a crawl and what it sent to the search index) or a plan (what a run would
// send). The forms are text for people, JSON for scripts, an HTML page to pass on, and CSV for a table. Each
// form shows the same Run in the same order: a summary, problems, held changes, deletes, moves, changes, new
// documents, warnings. A change is held if a limit, called a brake, stops it. Memory does not grow with the
// number of changes.
//
// Text from a site or the search service passes through Clean before it reaches a terminal. Only one
// goroutine at a time may use the writer that a function gets. The package does not check the facts of a Run.
package report
