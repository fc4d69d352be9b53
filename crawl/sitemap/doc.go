// Package sitemap reads sitemaps: the XML formats of the sitemaps protocol (0.9),
// RSS (0.9 to 2.0), Atom (RFC 4287) and plain text, one address a line.
//
// It guarantees that a file that is cut, malformed or over the limits of the
// protocol gives every entry that can be read, and an error that names the byte
// where it broke first. It holds the entry and the tag, text or comment at hand in
// memory, and a hash of each address, whatever the size of the file. It decodes addresses but does not judge
// them: canonical form, scope and the fetching of files belong to the caller.
//
// Read may be called from many goroutines, each with its own reader.
package sitemap
