// Package calls holds the commands that call the service by hand: docs for documents,
// tools for search tools, track and feedback for events.
//
// Documents that docs touches are in doubt in the ledger before the call. An event is
// sent at most once. Nothing here is for concurrent use.
package calls
