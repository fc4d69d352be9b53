// Package judge decides which documents of the search index change. Resolve finds the end of a redirect or a
// canonical URL. Judge turns what a run saw of one URL into a change of its document. TrustValidators and
// TrustLastmod say whether a host's hints (ETag, Last-Modified, lastmod) are believed. AstrayOf and Place
// find broken hosts and folders, and HostState gives the state of a host. Brakes (limits) hold suspicious
// changes.
//
// All functions are pure (they use no clock, file or network) and safe for concurrent use. A hint, or a page
// that was not requested, never yields a delete by itself. An unreadable page yields one after several days.
package judge
