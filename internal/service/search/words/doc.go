// Package words makes of texts the terms that they are found by, each by the rules of its
// language, which are the engine's (bleve): Danish, Dutch, English, Finnish, French, German,
// Italian, Norwegian, Portuguese, Spanish, Swedish. In others a word is found as it stands.
// Accents make no difference.
//
// It guarantees: any bytes have terms, in bounded time; the same word in the same language
// always has the same ones. It leaves to others where terms stand and what they count for.
//
// A Reader is for one goroutine at a time; the functions are safe for concurrent use.
package words
