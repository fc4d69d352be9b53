// Package service implements the Site Search Service locally: the API of the specification, stored in one
// SQLite file. Tests, previews and rehearsals (crawls that send to this service only) use it by HTTP, like
// the hosted service. This package opens the service. Subpackages do the work: web (authentication and
// responses), store (documents), tools (search tools), events, statistics, and query (search and answers).
//
// The writes of each request are one transaction, which is on disk before the response is sent. So an
// acknowledged write survives a kill of the process, and every later search finds it. Customers and crawlers
// (content sources) are isolated from each other.
//
// If the specification leaves a point open, the service takes the safest reading. Published client libraries
// also send requests that the specification does not allow. The service accepts these requests unless
// Options.Strict is set.
//
// Paths below /_/ extend the specification. They let a client read stored data and activate a crawler. They
// need credentials too, except the OpenAPI document at GET /_/openapi.json (package openapi). This document
// marks extensions with x-ours. ShowPages serves web pages beside the API.
//
// The package does not crawl the URLs that clients queue, and has no TLS.
//
// A Service is safe for concurrent use. Only one process may open a file at a time.
package service
