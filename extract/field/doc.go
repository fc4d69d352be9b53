// Package field gives a page or a file its fields: title, description, date, language
// and category by default sources, and what the owner's rules ask for.
//
// It guarantees that a field has one form wherever it came from: one line, bounded, a
// day as YYYY/MM/DD, a language as its primary subtag. An empty field is absent. For a
// trace every source is asked, and what it gave is noted; else only until one wins.
//
// It leaves to others what is made of the whole content (extract) and what only the
// site shows (extract/profile).
//
// Everything but an Evidence is safe for concurrent use.
package field
