// Package crawl requests the URLs of the owner's site: start URLs, URLs in sitemaps and links, and URLs of
// the ledger (the record of earlier runs). It decides which URLs are requested, and when. Its inner packages
// are transport (guarded requests), folder (a local folder in place of the network), site (which URLs belong
// to the site), robots and sitemap (the formats of these files), frontier (the queue of URLs), pace (the load
// on a host), page (parses bytes into a tree), signs (finds logins and error pages), reading (turns responses
// into pages), chrome (runs scripts of pages) and trap (endless sets of URLs).
//
// A run requests no URL twice, unless its page is missing or the fault is temporary. Each connection is
// checked when it is dialled, and leads only to an allowed address. Behind a proxy, only IP addresses in URLs
// can be checked. A page whose body did not arrive whole is reported as unread. The crawl goes in waves, each
// one link further from the start than the wave before. The set of requested URLs therefore does not depend
// on the concurrency. Other packages interpret the pages.
//
// Each file may use the files after it in this list: look and crawl, discover, sitemaps, waves, worker,
// queue, robots, render, fetch, client, host, options.
//
// Run calls the Sink from many goroutines. Call Run only once for a Crawler.
package crawl
