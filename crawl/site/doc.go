// Package site says which URLs belong to the site: its start URLs and their origins, the
// scope, hosts of which only files count, staging hosts, and other forms of an origin
// that stand for it.
//
// It asks the network nothing itself; whoever wants the other forms of an origin asked
// hands Ask over. A Site is safe for concurrent use.
package site
