// Package store is index management (specification sections 2.2, 2.3 and 4.1): documents
// and queued URLs by crawler in one SQLite file, and what they are found by.
//
// It guarantees: the writes of a request are one transaction, on disk before they are
// answered; what is answered is what a search finds from then on, and no search waits for a
// write; customers and crawlers are isolated from each other; document IDs are bytes, never
// folded.
//
// It leaves to others: who may call (web), the search itself (search, query), and what
// else is kept in the file: other rooms have tables of their own in it.
//
// A Store is safe for concurrent use. One process may hold a file at a time.
package store
