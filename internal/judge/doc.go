// Package judge decides: where a redirect or a canonical leads (Resolve), what
// one look at one URL means for the document the index holds (Judge), whether a
// host's hints are to be believed (Trust), what a document says of its place (AstrayOf,
// Place), what state a host is in (HostState), and which of the due changes the brakes hold
// back (Brakes).
//
// Everything here is pure: values in, values out, no clock, no file, no network.
// It guarantees that nothing is deleted on silence: an unread page, an unlooked-at
// one, or a hint never yields a delete. Functions are safe for concurrent use.
package judge
