// Package spool stores the data of a crawl that does not fit in memory. It has append-only logs (Log, Group),
// a table of URL fingerprints (Table, about 24 bytes a URL), an external sort (Sorter) and values on disk
// (Spill). It also writes and replaces files in one step (WriteFile, Replace).
//
// If a process is killed while it writes a record, OpenLog removes the incomplete record. Any other damaged
// or missing record is an error. A record may refer to a record of another log: a Group writes the other
// record first. OpenGroup also detects logs that became shorter. Logs are not synced to disk. After a power
// loss, delete them.
//
// Log, Group and Table are safe for concurrent use. Sorter and Spill are not.
package spool
