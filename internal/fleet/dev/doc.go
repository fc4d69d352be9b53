// Package dev runs a NATS server with JetStream inside this process, on loopback. Tests and the command
// "sitesync fleet dev" use it. After Close, the server's port and folder are free. A later server in the same
// folder has all acknowledged messages. Every user of this machine may connect. Only one server at a time may
// use a folder. A Server is safe for concurrent use.
package dev
