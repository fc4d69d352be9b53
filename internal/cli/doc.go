// Package cli is the command line: the root command, which joins the commands of the packages
// beside it. Those packages share package app and do not know each other.
//
// Results go to standard output, everything else to standard error. Run may be called more than
// once in a process, but not at the same time.
package cli
