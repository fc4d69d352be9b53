// Package plan writes and reads plan files. A plan file holds all data that applying a plan needs.
//
// A file gets its name only when it is complete. A cut or damaged file is refused. Equal contents give equal
// bytes. Other packages decide what belongs into a plan, and whether it fits a ledger.
//
// Use a Writer, and a File, from one goroutine at a time.
package plan
