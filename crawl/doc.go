// Package crawl requests every URL of the owner's site once a run: start URLs, sitemaps, URLs of the ledger,
// links. It decides which URLs are requested, and when. Each step has an inner package: transport (guarded
// requests), folder (a folder in place of the network), site (which URLs belong to the site), robots,
// sitemap, frontier, pace, page, signs, reading, chrome and trap. Colly only makes the requests.
//
// The package guarantees four things. No URL is requested twice in a run, except missing pages and temporary
// faults. Every connection goes where the configuration allows, checked at the address dialled; behind a
// proxy only literal addresses are checked. A body is whole, or its page is unread. The set of requested URLs
// does not depend on the concurrency: the crawl goes in waves, each one link further than the last. The
// meaning of a page is left to other packages.
//
// Each file uses those after it in this list: look and crawl, discover, sitemaps, waves, worker, queue,
// robots, render, fetch, client, host, options.
//
// Run calls the Sink from many goroutines. A Crawler makes one Run.
package crawl
