// Package field gives a page or a file its fields: title, description, date, language and category from
// default sources, and other fields by the owner's rules.
//
// It guarantees that each field has one form: one line of limited length, a day as YYYY/MM/DD, a language as
// its primary subtag. An empty field is absent. Sources are tried in order until one gives a value.
//
// It leaves to others: text that is made of the whole content (extract), and repetitions across the site
// (extract/profile).
//
// Everything except an Evidence is safe for concurrent use.
package field
