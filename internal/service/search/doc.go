// Package search finds documents in the store's full-text index, an SQLite FTS5 table. BM25 ranks results.
//
// It guarantees: a search finds every document written before it. Words are compared by the rules of each
// document's language (package words). Documents of equal score are sorted by ID. Spelling corrections are
// searched only if no document has all words as typed. No query text causes an error or a panic. A
// cancelled context ends a search.
//
// The index holds words, not documents. Results are document keys; callers read the text from the store.
package search
