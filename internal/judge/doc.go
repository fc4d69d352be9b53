// Package judge decides. Resolve finds where a redirect or a canonical ends. Judge turns what a run saw of
// one URL into a change of the document in the index. TrustValidators and TrustLastmod say whether a host's
// hints are believed. AstrayOf and Place find broken hosts and folders, and HostState gives the state of a
// host. Brakes says which due changes are held.
//
// Everything here is pure: values in, values out, no clock, no file, no network. It guarantees that nothing
// is deleted on silence. An unread page, a page that was not looked at and a hint never yield a delete by
// themselves. Functions are safe for concurrent use.
package judge
