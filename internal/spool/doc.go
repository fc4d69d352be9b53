// Package spool stores the data of a crawl that does not fit in memory. It has append-only logs (Log, Group),
// a table of URL fingerprints (Table, about 24 bytes a URL), an external sort (Sorter) and values on disk
// (Spill). It also writes and replaces files in one step (WriteFile, Replace).
//
// If a process is killed while it writes a record, the incomplete record is removed when the log is opened
// again. A record that is damaged or missing is an error. A Group writes the records of several logs so that
// a record never refers to a record that is not on disk. A group from OpenGroup also detects logs that became
// shorter. Logs are not synced: after a power loss, delete them.
//
// Log, Group and Table are safe for concurrent use. Sorter and Spill are not.
package spool
