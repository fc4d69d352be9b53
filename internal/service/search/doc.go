// Package search is the full-text index of one customer's documents, in a folder of
// its own. The search engine (bleve) lives here alone.
//
// It guarantees: what Write was given is found by every later Search; words are compared by
// the rules of each document's language (package words); the same documents rank alike
// however the index came to hold them, equal ones in the order of their IDs; where a document
// has all words as typed, near words find nothing; no query text errs or panics; a damaged
// folder is refused by Open rather than searched; a cancelled context ends a search.
//
// The index holds words, not documents: results name documents, whose text is read
// from where it is stored. It is derived data, and not on disk when Write returns: its
// owner gives each Write a mark, and builds the index anew where Open misses the last one.
//
// An Index is safe for concurrent use. One process may hold a folder at a time.
package search
