// Package sitemap reads sitemaps: the XML formats of the sitemaps protocol (0.9), RSS (0.9 to 2.0), Atom (RFC
// 4287) and plain text with one address per line.
//
// A file that is cut, malformed or over the limits of the protocol yields every entry that can be read. The
// error then names the first faulty byte. The package keeps only the current entry in memory. Addresses are
// decoded but not checked: the caller makes them canonical and decides which belong to the site.
//
// Read is safe for concurrent use, with a different io.Reader for each call.
package sitemap
