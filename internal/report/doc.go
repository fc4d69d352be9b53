// Package report shows a run or a plan: as text for people, as JSON for scripts, as HTML
// to pass on, as CSV for a table. All of them show one model, Run, in the order in which a
// person asks: the Sentence, problems, held, deletes, moves, changes, new, warnings. It
// streams: a run of a million changes takes no more memory than one of ten. JSON and text
// read their sections one after the other.
//
// Everything that comes from a site or a service goes through Clean before it
// reaches a terminal. Functions write to the given writer and keep nothing. They leave
// to their callers what is true of a run, and are not for concurrent use of one writer.
package report
