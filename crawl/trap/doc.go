// Package trap keeps a crawl out of URL spaces without end: calendars, session IDs, filters, paths that
// repeat a segment. Before each wave of the crawl it counts the queued URLs by patterns and leaves out URLs
// over a cap. A pattern is a regular expression, so that the owner can exclude it.
//
// Decisions depend only on the set of URLs in each wave, not on their order. At most a fixed number of
// patterns is counted at a time. URLs of earlier runs count towards a cap but are never left out; otherwise a
// trap would grow by the cap every night. A shape is a pattern for URLs that differ only in numbers, tokens
// or parameters. Shapes with many pages of the same text are remembered between runs, because a later run
// may read few of these pages. The caller keeps start URLs and sitemap URLs out of the queue, because they
// are always requested.
//
// NoteBody is safe for concurrent use. All other functions are for one goroutine.
package trap
