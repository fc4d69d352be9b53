// Package worddiff compares two texts word by word and keeps what a reader needs: what
// differs, with a few words around it.
//
// It guarantees that its work is bounded by the length of the texts, and its result by
// most bytes: of texts that have little in common it shows the beginnings. Words are those
// of Unicode (UAX 29), so that scripts without spaces are divided too. Everything is safe
// for concurrent use.
package worddiff
