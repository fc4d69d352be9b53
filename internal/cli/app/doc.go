// Package app is what the commands share: streams and global flags, exit codes, the
// configuration, the ledger opened for reading or under the run lock, the clients of
// the service, and the wiring of the stages, none of which knows another.
//
// Only package cli makes an App; what one command needs stands with that command. An
// App is for one goroutine; its logger is for any.
package app
