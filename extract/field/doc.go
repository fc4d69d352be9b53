// Package field gives a page or a file its fields. Title, description, date, language and category have
// default sources. Configured rules give other fields, or replace these. The first source with a value wins.
//
// A default field is one line of limited length. A date has the form YYYY/MM/DD, and a language is a primary
// subtag, such as "en". No field is empty.
//
// Package extract makes the fields that need the whole content. Package extract/profile finds text that the
// site repeats. An Evidence, the input for one page, belongs to one goroutine.
package field
