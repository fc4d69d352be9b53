// Package inspect holds the commands list, report, init and check. They only look: none gets a
// ledger that it could write, and init writes a new configuration alone.
//
// Nothing here is for concurrent use.
package inspect
