// Package fault turns on what a hosted service may do otherwise than the local one:
// other readings of the specification, documents that are refused, and faults of single
// calls. A Panel holds what is switched on, and counts the calls.
//
// It guarantees: the zero Switches are the service as documented. No flag and no key sets
// others: they are for tests, of the client above all.
//
// It leaves to others: acting on a switch (the room of the operation) and answering in
// the place of a call that a Fault strikes (web).
//
// A Panel is safe for concurrent use.
package fault
