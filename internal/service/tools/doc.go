// Package tools manages the search tools of an engine (a site search): rankings, quicklinks, banners and
// synonyms (specification sections 2.4 to 2.7 and 4.2). It also determines which tools apply to a query.
//
// A tool is stored with the specification's spelling of the keys, even if a request spelled them in another
// case. Unknown keys of a tool are kept. Keys that occur only in responses are ignored in requests. Audiences
// are not interpreted. PUT replaces a tool completely. IDs are never reused. An error in a request body names
// the path of the key (section 7).
//
// Package store keeps the file, web checks the caller, and query searches. Tools is safe for concurrent use.
package tools
