// Package calls holds the commands that call the service by hand: docs for documents, tools for search tools,
// track and feedback for events.
//
// Before docs changes a document, it marks the document in the ledger as in doubt: its state is unknown. The
// ledger is the record of what the index holds. An event is sent at most once. Nothing is for concurrent use.
package calls
