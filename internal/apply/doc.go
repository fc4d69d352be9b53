// Package apply is the sending half of a run. For each window of changes of a plan, it records in the ledger
// (the database of what the index holds) that the changes will be sent, sends them, and records their
// outcomes. Verifier compares the documents in the index with the ledger. After a kill at any time, the next
// run ends in the same state as without the kill. A delete that depends on another document is sent only
// after the service acknowledged that document. Changes that a brake (a limit on suspicious changes) holds
// are recorded even if the run is stopped. Package internal/plan computes the changes, and push makes the
// calls. Nothing is safe for concurrent use.
package apply
