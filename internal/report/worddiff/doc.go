// Package worddiff compares two texts word by word, and returns the differences with a few words around them.
//
// The length of the texts bounds the time of a comparison. After about maxResultBytes, further differences
// are left out of the result. The rules of Unicode (UAX 29) divide texts into words, even in
// languages without spaces. Everything is safe for concurrent use.
package worddiff
