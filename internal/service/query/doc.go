// Package query answers what visitors ask: search, autocomplete, AI chat answers and AI
// summaries. The specification gives their paths alone (sections 4.5 and 9).
//
// It guarantees: what was acknowledged before is found; a search is changed as the
// engine's tools say; requests and answers of search and autocomplete are those that the
// hosted service documents, and what is ours in them is bounded.
//
// Answers and summaries quote the documents that match best, name them, and carry
// "notSpecified": true, since the rest of them is ours.
//
// It leaves to others: the index (search), its documents (store), what search tools
// say (tools).
//
// A Finder is safe for concurrent use.
package query
