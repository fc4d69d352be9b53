// Package run holds the commands that look at the site or ask the service about it:
// sync, plan, apply, queue, verify and explain. A session is one run under way: it owns the work
// folder, the crawler and the extractor until it is closed.
//
// Planning is handed neither a client nor a ledger that can be written. A session is
// for one goroutine.
package run
