// Package site says which URLs belong to the site: its start URLs and their origins, the scope, hosts of
// which only files count, staging hosts, and other forms of a start origin.
//
// It makes no requests itself: AskBy sets the function that does. A Site is safe for concurrent use.
package site
