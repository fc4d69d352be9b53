// Package ledger holds the commands "status", "history", "held", "approve", "adopt", "backup" and "restore".
// They work on the ledger (the record of what the index holds), and send no request to the site.
//
// A command that writes the ledger holds the run lock, which one process at a time can hold. Nothing here is
// safe for concurrent use.
package ledger
