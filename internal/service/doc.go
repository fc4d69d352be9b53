// Package service is the Site Search Service itself, run locally: the interface that the
// specification gives, in one SQLite file. It serves rehearsals, previews and tests; the
// same HTTP is spoken to it as to the hosted service. This package opens it; its rooms do
// the work: web (who is let in, how answers look), store (documents), tools, events and their
// statistics, query (search and what builds on it).
//
// It guarantees: each request's writes are one transaction, on disk before the answer
// leaves, so that an acknowledged write survives the process being killed, and is found by
// every later search; customers and crawlers are isolated from each other.
//
// Where the specification shows nothing, the service takes the safest documented
// reading. What clients in public send beyond it is taken, too, unless Options.Strict is set.
//
// Paths below /_/ are this package's own and no part of the specified interface:
// they read back what is stored and make a crawler active, with the same
// credentials as the rest. ShowPages gives a browser the pages of its owner.
//
// It leaves to others: crawling queued URLs, and TLS.
//
// A Service is safe for concurrent use. One process may hold a file at a time.
//
// The OpenAPI document at GET /_/openapi.json (package openapi) marks with x-ours what
// the specification does not show.
package service
