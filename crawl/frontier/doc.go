// Package frontier keeps on disk what a crawl has yet to ask, in waves, and the links by
// which it was found.
//
// It guarantees that a URL is queued once a run, that a resumed run goes on from what an
// interrupted one had written, and that the link that counts does not depend on the order
// of the crawl. Which wave a URL belongs to is the crawl's matter. Adding and reading are
// safe for concurrent use; opening and closing waves is not.
package frontier
