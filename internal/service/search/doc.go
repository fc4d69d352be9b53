// Package search finds documents in the store's full-text index, an SQLite FTS5 table. BM25 ranks results.
//
// A search finds every document written before the search. It compares words by the rules of each document's
// language (package words). It tries spelling corrections only if no document has all words as typed. Results
// of equal score are sorted by ID. No query text causes an error or a panic.
//
// The index holds words, not documents. Results are document keys; callers read the text from the store.
package search
