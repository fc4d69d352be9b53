// Package past answers from the ledger what a crawl asks of earlier runs: what is known of
// each URL, and whether its page must be read for real whatever its hints claim.
//
// It guarantees that a host's trust is frozen within a run, so that the answers do not
// depend on the order of the crawl. It writes nothing but marks in the run's table. Lookup
// is safe for concurrent use once Known has returned.
package past
