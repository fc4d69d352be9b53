// Package sitemap reads sitemaps: the XML formats of the sitemaps protocol (0.9), RSS (0.9 to 2.0), Atom (RFC
// 4287) and plain text with one address per line.
//
// If a file is cut, malformed or over the limits of the protocol, every entry that can be read is yielded.
// The error then names the first faulty byte. Only the current entry and one tag, text or comment
// are in memory. The caller must make
// addresses canonical, and check which of them belong to the site.
//
// Read is safe for concurrent use, with a different io.Reader for each call.
package sitemap
