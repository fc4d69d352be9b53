// Package query answers visitors: search, autocomplete, AI chat answers and AI
// summaries. The specification gives their paths alone (sections 4.5 and 9).
//
// It guarantees: a search finds all documents that were acknowledged; it is changed as the
// engine's tools say; requests and answers of search and autocomplete are those that the
// hosted service documents, and our own parts of them are bounded.
//
// Answers and summaries quote the documents that match best, name them, and carry
// "notSpecified": true, since the rest of them is ours.
//
// It leaves to others: the index (search), its documents (store), search tools
// (tools).
//
// A Finder is safe for concurrent use.
package query
