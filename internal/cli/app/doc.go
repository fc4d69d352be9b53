// Package app is the code that all commands share: streams, global flags, exit codes and the configuration.
// It opens the ledger (the record of what the index holds), makes clients of the search service, and connects
// the stages of a run.
//
// Only package cli makes an App. An App is for one goroutine; its logger is safe for concurrent use.
package app
