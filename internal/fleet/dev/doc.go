// Package dev runs a NATS server with JetStream inside this process, on loopback, for trying a
// fleet and for tests.
//
// It guarantees that a server that Start returned answers, and that Close has let go of its
// port and folder. What is acknowledged is in the folder, and a later server on it has it. It
// leaves to others who may connect: on this machine anybody may. One server at a time may use
// a folder. A Server is safe for concurrent use.
package dev
