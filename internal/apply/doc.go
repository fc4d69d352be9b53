// Package apply is the sending half of a run. It takes a plan and nothing else: it
// records intents, sends, and records outcomes, one transaction a window. Verifier
// asks the service what it holds and compares that with the ledger.
//
// It guarantees that a kill at any instant leaves a ledger from which the next run ends
// in the same state, that a delete which needs another document's arrival is sent after
// that document is acknowledged, and that what a stop leaves unsent is still noted.
//
// It leaves to others what is due (internal/plan), how a change is sent (push) and how
// records change (diffstore). Nothing here is safe for concurrent use.
package apply
