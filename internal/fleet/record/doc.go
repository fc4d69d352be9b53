// Package record stores a record of each run (crawl) of a site: its figures, report and log. Put shortens
// long texts and lists, so that a record fits into one NATS message. The server keeps only the newest records
// of a site. Callers must remove control characters before a terminal shows the texts. Put and Read are safe
// for concurrent use.
package record
