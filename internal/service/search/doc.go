// Package search finds documents in the full-text index that the store keeps of each customer
// (SQLite's FTS5, ranked by BM25).
//
// It guarantees: every Search finds the documents that were written before it; words are compared by
// the rules of each document's language (package words); equal documents stand in the order of
// their IDs; where a document has all words as typed, near words find nothing; no query text
// errs or panics; a cancelled context ends a search.
//
// The index holds words, not documents: results name documents, whose text is read from the
// store.
package search
