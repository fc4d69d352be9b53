// Package cli is the command line: the root command and its exit codes. The packages in this folder hold the
// other commands. They share package app and do not import each other.
//
// Results go to standard output, messages to standard error. Run may be called several times in a process,
// but not concurrently.
package cli
