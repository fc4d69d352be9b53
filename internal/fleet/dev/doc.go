// Package dev runs a NATS server with JetStream inside this process, on loopback, for tests and for the
// command fleet dev. A server that Start returned answers requests. After Close its port and folder are free,
// and a later server in the same folder has all acknowledged messages. Every user of this machine may
// connect. Only one server at a time may use a folder. A Server is safe for concurrent use.
package dev
