// Package frontier stores the URLs that a crawl has yet to request, and the links that led to them. Both are
// on disk. URLs are queued in waves, which the crawl requests one after the other.
//
// It guarantees that a URL is queued once per run, and that a resumed run continues with the files of the
// interrupted run. The link that is recorded for a URL does not depend on the order of the requests. The
// caller chooses the wave of each URL. Adding and reading are safe for concurrent use. Preparing and ending
// waves are not.
package frontier
