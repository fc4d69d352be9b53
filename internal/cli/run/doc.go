// Package run holds the commands that crawl the site or query the service about it: sync, plan, apply,
// queue, verify and explain. A session is one run: it owns the work folder, the crawler and the extractor
// until it is closed.
//
// Planning gets no client and only a read-only ledger. A session is for one goroutine.
package run
