// Package service implements the Site Search Service locally: the API of the specification, stored in one
// SQLite file. Rehearsals, previews and tests use it with the HTTP requests of the hosted service. This
// package opens the service. Its subpackages do the work: web (authentication and responses), store
// (documents), tools (search tools), events, statistics, and query (search, completion and answers).
//
// It guarantees: each request's writes are one transaction, which is on disk before the response is sent.
// So an acknowledged write survives a kill of the process, and every later search finds it. Customers and
// crawlers (content sources) are isolated from each other.
//
// If the specification is silent, the service takes the safest documented reading. It also accepts requests
// beyond the specification that public clients send, unless Options.Strict is set.
//
// Paths below /_/ are an extension of the specification, with the same credentials. They read back stored
// data and activate a crawler. ShowPages serves web pages to browsers beside the API.
//
// It leaves to others: crawling queued URLs, and TLS.
//
// A Service is safe for concurrent use. Only one process may open a file at a time.
//
// The OpenAPI document at GET /_/openapi.json (package openapi) marks every extension with x-ours.
package service
