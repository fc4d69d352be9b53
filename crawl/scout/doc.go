// Package scout words and counts the outcome of a look at a site that is no crawl: the
// findings of a check, and the sections, languages and parameters of a first look.
//
// It asks nothing itself: the caller hands it every answer, sitemap entry and page. Counts
// of texts that a site makes up are bounded. Wires is safe for concurrent use; all
// else is for one goroutine.
package scout
