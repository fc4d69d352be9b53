// Package calls holds the commands that call the service by hand: "docs" for documents, "tools" for search
// tools (such as banners), "track" and "feedback" for events.
//
// Before "docs" changes a document, it marks the document as in doubt (of unknown state) in the ledger, the
// record of what the index holds. An event is sent at most once. Nothing is concurrency-safe.
package calls
