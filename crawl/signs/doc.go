// Package signs recognises HTTP responses that do not show the requested page. Such a response is an
// interstitial (a challenge for robots, a login, a notice of maintenance), the host's answer for pages that
// do not exist, or a nearly empty page that scripts have yet to fill.
//
// The package judges each response alone. In doubt, the response counts as a page. The caller decides what to
// do with the result. All functions are safe for concurrent use.
package signs
