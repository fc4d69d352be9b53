// Package app is the code that all commands share: streams and global flags, exit codes, the configuration,
// access to the ledger (the record of what the index holds), clients of the service, and the connections
// between the stages of a run.
//
// Only package cli makes an App. An App is for one goroutine; its logger is safe for concurrent use.
package app
