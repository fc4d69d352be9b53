// Package crawl requests every URL of the owner's site once a run: start URLs, sitemaps, links, and URLs of
// the ledger (the record of earlier runs). It decides which URLs are requested, and when. Its inner packages
// are transport (guarded requests), folder (a local folder in place of the network), site (which URLs belong
// to the site), robots and sitemap (the formats of these files), frontier (the queue of URLs), pace (the load
// on a host), page (parses bytes into a tree), signs (finds logins and error pages), reading (turns responses
// into pages), chrome (runs scripts of pages) and trap (endless sets of URLs).
//
// The package guarantees four things. No URL is requested twice in a run, unless its page is missing or the
// fault is temporary. Every connection goes to an allowed address, which is checked when it is dialled; behind
// a proxy, only IP addresses in URLs are checked. A page whose body did not arrive whole is reported as
// unread. The set of requested URLs does not depend on the concurrency: the crawl goes in waves, each one
// link further from the start than the wave before. Other packages interpret the pages.
//
// Each file may use the files after it in this list: look and crawl, discover, sitemaps, waves, worker,
// queue, robots, render, fetch, client, host, options.
//
// Run calls the Sink from many goroutines. Call Run only once for a Crawler.
package crawl
