// Package ledger holds the commands that read or change the ledger without a request to the site: status,
// history, held, approve, adopt, backup and restore. The ledger is the record of what the index holds.
//
// Commands that write the ledger hold the run lock, which one process at a time can hold. Nothing here is for
// concurrent use.
package ledger
