// Package field gives a page or a file its fields: title, description, date, language and category from
// default sources, and other fields by configured rules.
//
// It guarantees that each default field has one form: one line of limited length, a day as YYYY/MM/DD, a
// language as its primary subtag. No field is empty. Sources are tried in order until one gives a value.
//
// It leaves to others: fields that need the whole content (extract), and text that the site repeats
// (extract/profile).
//
// Everything except an Evidence, the input for one page, is safe for concurrent use.
package field
