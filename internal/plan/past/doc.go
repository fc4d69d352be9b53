// Package past tells a crawl what the ledger knows of each URL, and whether its page must be read whatever
// its hints say.
//
// The trust in a host is frozen within a run, so that the answers do not depend on the order of the crawl.
// Package past writes only to the run's table. Lookup is safe for concurrent use after Known has returned.
package past
