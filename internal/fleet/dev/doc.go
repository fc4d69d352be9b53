// Package dev runs a NATS server with JetStream inside this process, on loopback, for tests and for fleet dev.
//
// It guarantees that a server that Start returned answers, and that its port and folder are free after Close. A
// later server in the same folder has all acknowledged messages. Anybody on this machine may connect. Only one
// server at a time may use a folder. A Server is safe for concurrent use.
package dev
