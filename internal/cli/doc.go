// Package cli is the command line: one file a command, each of which reads the
// configuration, hands values to the rooms below and reports. It wires the stages
// of a run together, for no stage knows another, and turns errors into exit codes.
//
// Results go to standard output, everything else to standard error. Run may be
// called more than once in a process, but not at the same time.
package cli
