// Package signs recognises answers that replace a page: an interstitial (a challenge for robots, a login, a
// notice of maintenance), the host's answer for pages that do not exist, or a shell that scripts have yet to
// fill.
//
// It judges a single answer by its content. In doubt it treats an answer as a page. The caller decides what
// follows from a sign. Everything is safe for concurrent use.
package signs
