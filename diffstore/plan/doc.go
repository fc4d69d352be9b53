// Package plan writes and reads plan files. A plan is the list of changes that a run would make to the search
// index. Its file holds all data that applying the plan needs.
//
// A file gets its name only when it is complete. A cut or damaged file is refused. Equal contents give equal
// bytes. Other packages choose the changes, and decide whether a plan may be applied.
//
// Only one goroutine at a time may use a Writer or a File.
package plan
