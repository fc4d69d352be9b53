// Package page turns the bytes of an answer into a page: text in UTF-8, its tree, its
// links and its directives for crawlers.
//
// Foreign bytes cost time and memory in proportion to their size, whatever they are.
// Obeying the directives and following the links is left to the caller. Everything is
// safe for concurrent use; a tree has one reader at a time.
package page
