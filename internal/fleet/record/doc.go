// Package record stores a record of each run (crawl) of a site: its figures, report and log. A record is one
// message on the NATS server, which keeps only the newest records of a site. The texts may contain control
// characters; callers must remove them before a terminal shows the texts. Put and Read are safe for
// concurrent use.
package record
