// Package tools manages the search tools of an engine (a site search): rankings, quicklinks, banners and
// synonyms (specification sections 2.4 to 2.7 and 4.2). It also determines which tools apply to a query.
//
// It guarantees: a tool is stored under the specification's key names, even if a request spelled them in
// another case. Audiences are opaque, and unknown keys of a tool are kept. Keys that occur only in
// responses are ignored in requests. PUT replaces a tool completely. IDs are never reused. Errors of a
// request body name the path of the key (section 7).
//
// It leaves to others: the file (store), authentication (web), and searching (query).
//
// Tools is safe for concurrent use.
package tools
