// Package diffstore keeps the ledger: what the index is known to hold, one
// Record per URL, the acknowledged text, the hosts' trust, the approvals and the
// runs. It diffs a Document against its Record. The plan file is the inner room plan.
//
// It guarantees that a record is ok only after an acknowledged Outcome was given
// to Step, that every write is one transaction, and that a ledger opened for
// reading cannot be written. Others decide which change is due and what is sent.
//
// A child process looks for damage (CheckApart), so that the caller's process survives any
// file. KeepCopy leaves a sound copy, which is what helps against damage.
//
// A Ledger may be read from many goroutines at once; Begin, Step and Finish are
// for one goroutine.
package diffstore
