// Package plan writes and reads the plan file: everything that an apply needs of
// the run that planned it.
//
// It guarantees that a file appears under its name only when it is whole, that a
// cut or damaged file is refused, and that equal contents give equal bytes. What
// belongs into a plan, and whether it fits a ledger, is decided elsewhere.
//
// A Writer is for one goroutine. A File may be read from one goroutine at a time.
package plan
