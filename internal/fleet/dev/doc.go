// Package dev runs a NATS server with JetStream in this process. Tests and the command "sitesync fleet dev"
// use it. The server listens on loopback, and every user of this machine may connect. Only one server at a
// time may use a folder. Close frees the port and the folder. A later server in the folder has all
// acknowledged messages. A Server is safe for concurrent use.
package dev
