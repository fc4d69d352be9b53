// Package spool stores the data of a run that does not fit in memory. It has append-only logs (Log, Group), a
// table of URL fingerprints (Table, about 24 bytes a URL), an external sort (Sorter) and values on disk
// (Spill). It also writes and replaces files in one step (WriteFile, Replace).
//
// If a process is killed while it writes a record, the incomplete record is removed when the log is opened
// again. A record that is damaged or missing is an error. The logs of a Group are written in the group's
// order, so that a record is on disk only together with the records to which it refers. A group from
// OpenGroup detects logs that have lost their end. Logs are not synced, so the work folder must be deleted
// after a power loss.
//
// Log, Group and Table are safe for concurrent use. Sorter and Spill are not.
package spool
