// Package trap keeps a crawl out of URLs that lead on without end: calendars, session
// IDs, filters, links that repeat themselves. Between two waves it counts the queued
// URLs by patterns and leaves out those over a cap. A pattern is a regular
// expression that the owner can exclude.
//
// It guarantees that its decisions depend on the set of URLs in each wave alone, not
// on their order, and that it counts no more than a fixed number of patterns at a
// time. Known URLs count in a cap but are never left out, or a trap would grow by
// the cap every night. A form whose pages say the same is remembered from run to run: the next
// ones may read few of them. The caller leaves start URLs and those in sitemaps out of
// the queue: they are always asked.
//
// NoteBody is safe for concurrent use; the rest is for one goroutine.
package trap
