// Package inspect holds the commands "list", "report", "init" and "check". None of them changes the ledger
// (the record of what the index holds). Only "init" writes files: a new configuration and its JSON schema.
//
// Nothing here is safe for concurrent use.
package inspect
