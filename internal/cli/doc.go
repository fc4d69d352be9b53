// Package cli is the command line: the root command and the list of commands. The
// commands themselves stand in one package a group beside package app, which holds
// what they share; no group knows another.
//
// Results go to standard output, everything else to standard error. Run may be
// called more than once in a process, but not at the same time.
package cli
