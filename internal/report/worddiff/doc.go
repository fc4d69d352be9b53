// Package worddiff compares two texts word by word, and returns the differences with a few words around them.
//
// The length of the texts bounds the time of a comparison. The constant most bounds the size of the result.
// If the texts have little in common, the result holds their beginnings. Words are divided as Unicode says
// (UAX 29), so texts without spaces are divided, too. Everything is safe for concurrent use.
package worddiff
