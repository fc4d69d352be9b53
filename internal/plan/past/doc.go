// Package past tells a crawl what the ledger (the file that records what the index holds) knows of each URL.
// It says whether a page must be read whatever its hints (ETag, Last-Modified, lastmod) say.
//
// The trust in a host's hints does not change within a run, so that the answers do not depend on the order of
// the crawl. Only the run's URL table is written. After Known returns, Lookup is safe for concurrent use.
package past
