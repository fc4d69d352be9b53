// Package site decides which URLs belong to the crawled site. It reads the settings of section `[site]`:
// start URLs, include and exclude patterns, hosts that add only files such as PDFs, and staging hosts. It
// also finds variants of a start origin, such as http for https, that redirect to it.
//
// Requests are made by the function that [Site.AskBy] sets. A [Site] is safe for concurrent use.
package site
