// Package worddiff compares two texts word by word, and returns the differences with a few words around them.
//
// The time of a comparison is bounded by the length of the texts. A result ends after about maxResultBytes,
// and leaves out further differences. Texts are divided into words by the rules of Unicode (UAX 29), even in
// languages without spaces. Everything is safe for concurrent use.
package worddiff
