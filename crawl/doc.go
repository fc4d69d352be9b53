// Package crawl looks at every URL of the owner's site once a run: start URLs,
// sitemaps, what the ledger knows, links. It owns scope, canonical URLs,
// robots.txt (RFC 9309), sitemaps, the frontier, politeness, the guarded transport
// and the folder that stands in for a network. Colly makes the requests; nothing
// of it but that is used. Chromium renders pages that need JavaScript; it has no
// network but what the crawler hands it.
//
// It guarantees that no URL is asked twice in a run but for pages that were missing
// and faults that can pass, that every connection goes where the configuration
// allows, checked at the address dialled (behind a proxy: literal addresses alone),
// that a body is whole or its page is unread, and that the set of URLs asked does
// not depend on the concurrency: the crawl goes in waves, one link further each.
// What a page means is left to others: it hands over Pages.
//
// Run calls the Sink from many goroutines. A Crawler makes one Run.
package crawl
