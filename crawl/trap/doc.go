// Package trap keeps a crawl out of endless URLs: calendars, session IDs, filters, paths that repeat a
// segment. A pattern is a regular expression for similar URLs. A shape is a pattern for URLs that differ only
// in numbers, tokens or parameters. Before each wave (round of the crawl), the package counts the queued URLs
// of each pattern. It leaves out the URLs that exceed the pattern's cap.
//
// The order of the URLs in a wave has no effect. The number of counted patterns is limited. URLs of earlier
// runs are never left out. They count towards the cap, or a trap would grow with each run. Shapes whose pages
// have the same text are remembered between runs. The queue must not hold start URLs and sitemap URLs.
//
// NoteBody is safe for concurrent use. All other functions are for one goroutine.
package trap
