// Package spool holds what lets a run work on a site that does not fit in
// memory: append-only logs that survive a kill (Log, Group), a table of URL
// fingerprints at some 24 bytes each (Table), an external sort (Sorter), values that
// wait for totals (Spill), and files that are replaced in one step (WriteFile, Replace).
//
// It is a leaf and knows nothing of pages. A Log's tail that a kill tore off is
// cut when the log is opened again; what can't be read, is shorter than it was written
// or fails its checksum is an error, never an end. Logs of one Group reach the disk in the
// order in which the group lists them, so that a record is never there without
// what it refers to; a group from OpenGroup notices that a log lost its end since. No
// log is synced: after a power loss the work folder is to be thrown away.
//
// Log, Group and Table are safe for concurrent use; a Sorter and a Spill are not.
package spool
