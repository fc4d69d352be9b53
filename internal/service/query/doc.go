// Package query serves visitors: search, autocomplete, AI chat answers and AI summaries. The specification
// gives only their paths (sections 4.5 and 9). A Finder is safe for concurrent use.
//
// A search finds every acknowledged document, and applies the search tools (the editors' settings) of the
// engine (site search). Search and autocomplete follow the hosted service's documentation. The size of
// requests and responses is limited.
//
// Answers and summaries quote the best matching documents, and list them in JSON. They have "notSpecified":
// true, because the specification does not define them further.
package query
