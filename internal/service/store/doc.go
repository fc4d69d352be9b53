// Package store is index management (specification sections 2.2, 2.3 and 4.1): documents
// and queued URLs by crawler in one bbolt file, and the search index of each customer.
//
// It guarantees: the writes of a request are one transaction, on disk before they are
// answered; what is answered is what a search finds from then on; customers and crawlers
// are isolated from each other; document IDs are bytes, never folded.
//
// Search indexes lie in a folder beside the file. The file is the truth: it names the
// state that an index must have, and an index that is damaged or of another state is made
// anew.
//
// It leaves to others: who may call (web), the search itself (search, query), and what
// else is kept in the file: other rooms have buckets of their own in it.
//
// A Store is safe for concurrent use. One process may hold a file at a time.
package store
