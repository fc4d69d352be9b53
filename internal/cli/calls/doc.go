// Package calls holds the commands that call the service by hand: docs for documents, tools for search tools,
// track and feedback for events.
//
// Before docs changes documents, it marks them as in doubt (of unknown state) in the ledger (the
// record of what the index holds). An event is sent at most once. Nothing here is for concurrent use.
package calls
