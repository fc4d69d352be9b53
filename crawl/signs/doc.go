// Package signs recognises HTTP responses that replace a page: an interstitial (a challenge for robots, a
// login, a notice of maintenance), the host's answer for pages that do not exist, or a nearly empty page that
// scripts have yet to fill.
//
// It judges a single answer by its content. In doubt it treats the answer as a page. The caller decides what
// to do with the result. All functions are safe for concurrent use.
package signs
