// Package site keeps what the operator says of each site of a fleet, and has the server tell when
// it is due.
//
// It guarantees that what it stores can be run (the configuration loads, holds no secret in clear
// and shares no document with another site), that each change names what it replaces, and that
// the last changes of a site can be shown and undone. For each site that is not paused one message
// stands in the queue, which the server hands out in time; Reconcile mends what is missing.
// It leaves to others who runs a site, and its state. Sites is safe for concurrent use.
package site
