// Package cli is the command line: the root command and its exit codes. The packages in this folder hold the
// other commands. These packages share package app and do not import each other.
//
// Results go to standard output, messages to standard error. A process may call Run several times, but not
// concurrently.
package cli
