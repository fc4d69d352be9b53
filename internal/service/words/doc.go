// Package words converts the words of a text to search terms, by the rules of the text's language. It has
// Snowball stemmers for Danish, Dutch, English, Finnish, French, German, Italian, Norwegian, Portuguese,
// Spanish and Swedish. In other languages, a word is found only in its exact form. Accents are ignored.
// Joined words are found too: ab1234 finds AB-1234, and 33925200 finds 33 92 52 00.
//
// Any text can be converted, in bounded time. The same word in the same language always has the same terms. A
// Reader and all functions are safe for concurrent use.
package words
