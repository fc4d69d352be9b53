// Package past tells a crawl what the ledger (the file that records what the index holds) knows of each URL.
// It also tells which pages must be read even if hints (ETag, Last-Modified, lastmod) call them unchanged.
//
// The trust in a host's hints stays the same within a run, so answers do not depend on the order of the
// crawl. Only the run's URL table is written. After Known returns, Lookup is safe for concurrent use.
package past
