// Package query serves visitors: search, autocomplete, AI chat answers and AI summaries. The specification
// gives only their paths (sections 4.5 and 9). A Finder is safe for concurrent use.
//
// It guarantees: a search finds all acknowledged documents and applies the search tools of the engine (site
// search). Requests and responses of search and autocomplete follow the hosted service's documentation. Their
// size is limited.
//
// Answers and summaries quote the best matching documents. In JSON they also list these documents, and have
// "notSpecified": true, because the specification does not define them further.
package query
