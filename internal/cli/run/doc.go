// Package run holds the commands sync, plan, apply, queue, verify and explain. A session is one run. It
// owns the work folder (temporary files), the crawler and the extractor until it is closed.
//
// The code that plans has no client of the service. It opens the ledger (the record of what the index holds)
// only for reading. A session is for one goroutine.
package run
