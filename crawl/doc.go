// Package crawl looks at every URL of the owner's site once a run: start URLs,
// sitemaps, what the ledger knows, links. It decides what is asked and when; each step
// has a room of its own: transport (guarded exchanges), folder (a folder in place of a
// network), site (what belongs to the site), robots, sitemap, frontier, pace, page,
// signs, reading, chrome and trap. Colly makes the requests, and does nothing else.
//
// It guarantees that no URL is asked twice in a run, except pages that were missing
// and faults that can pass, that every connection goes where the configuration
// allows, checked at the address dialled (behind a proxy: literal addresses alone),
// that a body is whole or its page is unread, and that the set of URLs asked does
// not depend on the concurrency: the crawl goes in waves, one link further each.
// What a page means is left to others: it hands over Pages.
//
// Its files are steps, and each uses those behind it: look and crawl, discover, sitemaps,
// waves, probe, worker, queue, robots, render, ask, fetch, client, host, options.
//
// Run calls the Sink from many goroutines. A Crawler makes one Run.
package crawl
