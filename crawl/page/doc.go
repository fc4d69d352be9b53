// Package page turns the bytes of a response into a page: text in UTF-8, its tree, its links and its
// directives for crawlers.
//
// [Parse] asks its caller for memory before it uses the memory, so no page can exhaust it. The caller obeys
// the directives and follows the links. Everything is safe for concurrent use, but a tree may have only one
// reader at a time.
package page
