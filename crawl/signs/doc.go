// Package signs tells what stands in place of a page: an interstitial (a challenge for
// robots, a login, a notice of maintenance), the host's answer for pages that do not
// exist, or a shell that scripts have yet to fill.
//
// It judges one answer by what is in it, and would rather miss a sign than take a page
// for one. What follows from a sign is left to the caller. Everything is safe for
// concurrent use.
package signs
