// Package service is the Site Search Service itself, run locally: index
// management over the interface that the specification gives (sections 2, 4.1,
// 5 and 7), in one bbolt file. It serves rehearsals, previews and tests; the
// same HTTP is spoken to it as to the hosted service.
//
// It guarantees: each request's writes are one transaction, on disk before the
// answer leaves, so that an acknowledged write survives the process being
// killed; customers and crawlers are isolated from each other; document IDs are
// bytes, never folded; requests are bounded in count and size; the API key is
// compared in constant time and never logged, stored or answered.
//
// Search tools (sections 2.4 to 2.7 and 4.2) are stored under the specification's key
// names, whatever the case they came in; audiences and unknown keys are kept byte for
// byte, keys that only answers hold are dropped. A PUT leaves nothing of the old tool,
// and an ID is never given twice.
//
// Search and autocomplete find what was acknowledged before they were asked, by an index
// that is derived from the store and lies beside it. Their requests and answers are
// those that the hosted service documents; bounds, ranking, facets and the entries of
// Banners and Quicklinks are ours.
//
// Where the specification shows nothing, the service takes the safest documented
// reading. Every other reading that a hosted service may have, and every fault
// that a network may add, is a named switch (see Switches), off by default and
// refused off loopback.
//
// Of answers and summaries (search/answer, search/summarize) the specification gives
// the paths alone. Here they quote the passages that match best, name their
// documents, and carry "notSpecified": true, since all else of them is ours.
//
// Paths below /_/ are this package's own and no part of the specified interface:
// they read back what is stored and make a crawler active, with the same
// credentials as the rest. GET /_/ lists them.
//
// Events (section 6) are recorded as they are sent, with whatever they say of a
// visitor (ip, userAgent and the like), in the store's file alone: the latest 100,000
// of an engine, each on disk before it is acknowledged. Whoever has the key can read
// them.
//
// Who is let in is decided by the address a request came to: its Host header must name
// it. Browsers may call for pages of listed origins alone, and only what takes a
// SiteKey.
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
//     limits; 415 a body of another content type; 421 a foreign host; 500 a delete that
//     fails.
//   - Values: the rows that PUT answers, the integers 0 and 1 for a document's type, the
//     status Invalid of a malformed URL, and which fields a search tool or an event must
//     have (x-ours-required).
//   - The key names dt (device class), ls (log source), ip, and rating of a summary.
//   - The shapes of search, autocomplete, answer and summarize; the operations of
//     Options.Extended; every page below /_/.
package service
