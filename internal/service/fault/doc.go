// Package fault turns on what a hosted service may do otherwise than the local one:
// other readings of the specification, and documents that are refused. A Panel holds what
// is switched on.
//
// It guarantees: the zero Switches are the service as documented. No flag and no key sets
// others: they are for tests, of the client above all.
//
// It leaves to others: acting on a switch (the room of the operation).
//
// A Panel is safe for concurrent use.
package fault
