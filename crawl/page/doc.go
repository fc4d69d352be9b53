// Package page turns the bytes of a response into a page: text in UTF-8, its tree, its links and its
// directives for crawlers.
//
// Whatever the bytes of a page are, parsing takes time and memory in proportion to their number. The caller
// obeys the directives and follows the links. Everything is safe for concurrent use, except that a tree has
// one reader at a time.
package page
