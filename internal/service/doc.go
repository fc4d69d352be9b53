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
// # Ours
//
// The OpenAPI document at GET /_/openapi.json (package openapi) marks with x-ours what
// the specification does not show:
//
//   - Statuses but 200 where it is shown, 400 of search feedback, and 500: success is
//     200; 400 is an invalid request, field errors of a search tool, and {Message} of a
//     mismatch; 401 missing or wrong credentials, or of a scheme that the endpoint does
//     not take; 403 a SiteKey where only Basic is taken, or of another engine; 404 an ID
//     or a path that is not there; 405 another method; 413 a body or batch over the
//     limits; 415 a body of another content type; 421 a foreign host; 429 more events a
//     second than are taken; 431 a header over the limits; 500 a delete that fails; 503
//     with Retry-After a call that got no turn in time.
//   - Values: the rows that PUT answers, the integers 0 and 1 for a document's type, the
//     status Invalid of a malformed URL, and which fields a search tool or an event must
//     have (x-ours-required).
//   - The key names dt (device class), ls (log source), ip, and rating of a summary.
//   - The shapes of answer and summarize, and of search and autocomplete what the vendor does
//     not publish; the operations of Options.Extended; every page below /_/.
package service
