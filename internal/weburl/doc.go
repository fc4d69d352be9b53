// Package weburl handles URLs: their canonical form, their parts, and patterns that match them.
//
// URLs with the same canonical form (WHATWG URL standard) identify the same document. The canonical form of a
// canonical URL is the URL itself. Functions with a parameter canonical expect a canonical URL and don't
// check it. The package makes no requests. Everything is safe for concurrent use.
package weburl
