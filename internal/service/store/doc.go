// Package store implements index management (specification sections 2.2, 2.3 and 4.1). One SQLite file holds
// the documents and queued URLs of each crawler (content source), and the full-text index of the documents.
//
// The writes of a request are one transaction, which is on disk before the response is sent. Every later
// search finds them. Searches never wait for writes. Customers and crawlers are isolated from each other.
// Document IDs are compared as bytes, so case matters.
//
// Other packages do the rest: package web authenticates, and packages search and query search. Packages tools
// and events keep their own tables in the same file.
//
// A Store is safe for concurrent use. Only one process may open a file at a time.
package store
