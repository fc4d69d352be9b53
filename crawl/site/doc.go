// Package site decides which URLs belong to the crawled site, by the settings of section `[site]`: start
// URLs, include and exclude patterns, hosts that add only files such as PDFs, and staging hosts. It also
// finds variants of a start origin, such as http for https, that redirect to it.
//
// [Site.AskBy] sets the function that makes requests. A [Site] is safe for concurrent use.
package site
