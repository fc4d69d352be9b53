// Package ledger holds the commands that work on the ledger without looking at the
// site: status, history, held, approve, adopt, backup and restore.
//
// What writes the ledger holds the run lock. Nothing here is for concurrent use.
package ledger
