// Package judge decides which documents of the search index change. Judge turns what a run saw of one URL
// into a change of its document. Resolve finds the end of a redirect or a canonical URL. TrustValidators and
// TrustLastmod say whether a host's hints (ETag, Last-Modified, lastmod) are believed. AstrayOf and Place
// find broken hosts and folders, and HostState gives the state of a host. Brakes (limits) hold suspicious
// changes.
//
// All functions are pure (they use no clock, file or network) and safe for concurrent use. A hint, or a URL
// that the run did not look at, never causes a delete by itself. A page that stays unreadable causes one
// after several days.
package judge
