// Package ledger holds the commands that work on the ledger, the record of what the index holds: status,
// history, held, approve, adopt, backup and restore. They send no request to the site.
//
// A command that writes the ledger holds the run lock, which only one process at a time can hold. Nothing
// here is safe for concurrent use.
package ledger
