// Package report shows a run: as text for people, as JSON for scripts, as HTML to
// pass on, as CSV for a table. It streams: a run of a million changes takes no more
// memory than one of ten. JSON and text read their sections one after the other.
//
// Everything that comes from a site or a service goes through Clean before it
// reaches a terminal. Functions write to the given writer and keep nothing. They leave
// to their callers what is true of a run, and are not for concurrent use of one writer.
package report
