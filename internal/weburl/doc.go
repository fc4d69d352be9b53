// Package weburl holds the words about one URL: its canonical form, its parts, and the
// patterns that match it. Nobody else cuts URLs up.
//
// Two spellings with one canonical URL are one document, by the WHATWG URL standard; a
// canonical URL is its own canonical form. Functions that take a canonical URL don't
// check it. Nothing here asks the network. Everything is safe for concurrent use.
package weburl
