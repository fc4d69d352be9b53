// Package report shows a run: as text for people, as JSON for scripts, as HTML to
// pass on, as CSV for a table. It streams: a run of a million changes takes no more
// memory than one of ten, but for JSON's and text's sections, which are read one
// after the other.
//
// Everything that comes from a site or a service goes through Clean before it
// reaches a terminal. Functions write to the given writer and keep nothing.
package report
