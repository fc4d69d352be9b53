// Package inspect holds the commands that look and change nothing but a configuration
// that is not there yet: list, report, init and check.
//
// They are handed no ledger that can be written. Nothing here is for concurrent use.
package inspect
