// Package service implements the Site Search Service locally: the API of the specification, stored in one
// SQLite file. Tests, previews and rehearsals (crawls that send to this service only) use the service like
// the hosted one, by HTTP. This package opens the service. Subpackages do the work: web (authentication and
// responses), store (documents), tools (search tools), events, statistics, and query (search and answers).
//
// It guarantees: each request's writes are one transaction, which is on disk before the response is sent.
// So an acknowledged write survives a kill of the process, and every later search finds it. Customers and
// crawlers (content sources) are isolated from each other.
//
// If the specification leaves a point open, the service takes the safest reading. Published client libraries
// also send requests that the specification does not allow. The service accepts these requests unless
// Options.Strict is set.
//
// Paths below /_/ extend the specification and need the same credentials. Through these paths a client reads
// stored data and activates a crawler. Only the OpenAPI document at GET /_/openapi.json (package openapi)
// needs no credentials. It marks extensions with x-ours. ShowPages serves web pages beside the API.
//
// It leaves to others: crawling the URLs that clients queue, and TLS.
//
// A Service is safe for concurrent use. Only one process may open a file at a time.
package service
