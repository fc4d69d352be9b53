// Package apply is the sending half of a run. Package internal/plan computes the changes, and push makes the
// calls. Before changes are sent, they are recorded in the ledger (the database of what the index holds).
// Their outcomes are recorded afterwards. So after a kill at any time, the next run ends in the same state as
// without the kill. A delete that depends on another document is sent only after the service acknowledged
// that document. Verifier compares the index with the ledger.
//
// Nothing is safe for concurrent use.
package apply
