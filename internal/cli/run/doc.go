// Package run holds the commands sync, plan, apply, queue, verify and explain. A session is one run. It
// owns the work folder, the crawler and the extractor until it is closed.
//
// The code that plans has no client of the service and only a read-only ledger. A session is for one
// goroutine.
package run
