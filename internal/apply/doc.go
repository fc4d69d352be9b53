// Package apply is the sending half of a run. For each window of changes in a plan, it records the intents in
// one transaction, sends the changes, and records the outcomes. Verifier compares the documents in the index
// with the ledger.
//
// After a kill at any time, the next run ends in the same state as without the kill. A delete that depends on
// another document is sent only after that document is acknowledged. Held changes that were not sent are
// still noted if a run is stopped.
//
// Package internal/plan decides what is due, push makes the calls, and diffstore changes the records. Nothing
// here is safe for concurrent use.
package apply
