// Package run holds the commands "sync", "plan", "apply", "queue", "verify" and "explain". A session is one
// run of a command. Until its end, it owns the work folder (temporary files), the crawler and the extractor.
//
// The code that plans has no client of the search service. It opens the ledger (the record of what the index
// holds) only for reading. Only one goroutine may use a session.
package run
