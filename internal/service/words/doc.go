// Package words makes of texts the terms that they are found by, each by the rules of its
// language, which are those of Snowball's stemmers: Danish, Dutch, English, Finnish, French,
// German, Italian, Norwegian, Portuguese, Spanish, Swedish. In others a word is found as it
// stands. Accents make no difference, nor does a hyphen: AB-1234 is found by ab1234, and
// 33 92 52 00 by 33925200.
//
// It guarantees: any bytes have terms, in bounded time; the same word in the same language
// always has the same ones. It leaves the places and the weights of terms to others.
//
// A Reader and the functions are safe for concurrent use.
package words
