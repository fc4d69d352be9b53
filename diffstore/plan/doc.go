// Package plan writes and reads plan files. A plan is the list of changes that a run would make to the search
// index. Its file holds all data that applying the plan needs.
//
// A file gets its name only when it is complete. A cut or damaged file is refused. Equal contents give equal
// bytes. Other packages decide what belongs into a plan, and whether the plan may be applied.
//
// Use a Writer, and a File, from one goroutine at a time.
package plan
