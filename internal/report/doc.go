// Package report shows a run (a crawl and what it sent to the search index) or a plan (what a run would send)
// as text for people, JSON for scripts, an HTML page to pass on, and CSV for a table. All show the same Run
// in the same order: a summary sentence, problems, held changes (a limit, called a brake, stops them),
// deletes, moves, changes, new documents, warnings. Reports stream the changes, so memory does not grow with
// their number.
//
// Text from a site or the search service passes through Clean before it reaches a terminal. Functions write
// to the given writer, which only one goroutine may use at a time. They do not check the facts of a Run.
package report
