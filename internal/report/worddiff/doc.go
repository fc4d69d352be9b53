// Package worddiff compares two texts word by word, and returns the differences with a few words
// around them.
//
// Its work is bounded by the length of the texts, and its result by the constant most. Of texts
// with little in common it returns the beginnings. Words are those of Unicode (UAX 29), so texts
// without spaces are divided, too. Everything is safe for concurrent use.
package worddiff
