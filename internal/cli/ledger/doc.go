// Package ledger holds the commands that read or change the ledger without a request to the site: status,
// history, held, approve, adopt, backup and restore.
//
// Commands that write the ledger hold the run lock. Nothing here is for concurrent use.
package ledger
