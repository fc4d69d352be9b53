// Package site decides which URLs belong to the crawled site. It knows the start URLs and their origins, the
// patterns of the scope, hosts of which only files belong to the site, staging hosts, and other forms of a
// start origin, such as http for https.
//
// It makes no requests itself: the function that AskBy sets makes them. A Site is safe for concurrent use.
package site
