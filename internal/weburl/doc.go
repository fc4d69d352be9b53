// Package weburl handles URLs: their canonical form, their parts, and patterns that match them. No other
// package parses URLs.
//
// Spellings with the same canonical URL (WHATWG URL standard) are one document. A canonical URL is its own
// canonical form. Functions with a parameter canonical expect a canonical URL and don't check it. The package
// makes no requests. Everything is safe for concurrent use.
package weburl
