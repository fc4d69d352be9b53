// Package tools is the search tools of an engine: rankings, quicklinks, banners and
// synonym groups (specification sections 2.4 to 2.7 and 4.2), and what they say about a
// query.
//
// It guarantees: a tool is stored under the specification's key names, whatever the case
// they came in; audiences are opaque, and unknown keys of a tool are kept; keys that only answers
// hold are not taken from a body; a PUT leaves nothing of the old tool; an ID is never given
// twice; what is wrong with a body is told by path (section 7).
//
// It leaves to others: the file (store), who may call (web), and the search (query).
//
// Tools is safe for concurrent use.
package tools
