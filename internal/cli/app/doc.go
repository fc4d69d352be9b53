// Package app is what the commands share: streams and global flags, exit codes, the configuration,
// the ledger opened for reading or under the run lock, clients of the service, and the stages of
// a run joined together.
//
// Only package cli makes an App. An App is for one goroutine; its logger is for any.
package app
