// Package frontier stores on disk the URLs that a crawl has yet to request, and the links to these URLs. URLs
// are queued in waves, which the crawl requests one after the other. The caller chooses the wave of each URL.
//
// [Frontier.Add] queues a URL at most once per run. A resumed run continues with the files of the interrupted
// run. The link that [Notes] select for a URL does not depend on the order of the requests. Methods that add
// or read URLs and links are safe for concurrent use. Other methods are not.
package frontier
