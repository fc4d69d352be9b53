// Package diffstore keeps the ledger: what the index is known to hold, one
// Record per URL, the acknowledged text, the hosts' trust, the approvals and the
// runs. It diffs a Document against its Record. The plan file is the inner room plan.
//
// It guarantees that a record is ok only after an acknowledged Outcome was given
// to Step, that every write is one transaction, and that a ledger opened for
// reading cannot be written. Which change is due, and what is sent, is decided
// elsewhere.
//
// It finds damage in a child process (CheckApart), salvages what can be read of a
// damaged file without believing any of it (Salvage), copies and compacts ledgers,
// and migrates older ones after a copy.
//
// A Ledger may be read from many goroutines at once; Begin, Step and Finish are
// for one goroutine.
package diffstore
