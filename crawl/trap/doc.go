// Package trap keeps a crawl out of URL spaces without end: calendars, session IDs, filters, paths that
// repeat a segment. Before each wave (round of the crawl) it counts the queued URLs by patterns and leaves
// out URLs over a cap. A pattern is a regular expression, which the site's owner can use to exclude URLs.
//
// Decisions depend only on the set of URLs in each wave, not on their order. At most a fixed number of
// patterns is counted at a time. URLs of earlier runs are never left out, but they count towards a cap.
// Otherwise a trap would grow by the cap with each run. Shapes are patterns for URLs that differ only in
// numbers, tokens or parameters. Shapes with many pages of the same text are remembered between runs. The
// caller keeps start URLs and sitemap URLs, which are always requested, out of the queue.
//
// NoteBody is safe for concurrent use. All other functions are for one goroutine.
package trap
