// Package notify sends a message about a run that ended: by mail, to an HTTP hook, to a command, as a
// ping, and as a file of figures for Prometheus.
//
// A Message is plain data; whoever makes it decides what may be told and cleans it.
// Secrets (passwords, the addresses of hooks and pings) are in no error. Each way is tried
// once, the hook and the ping twice, within Timeout. Values here may be used by one
// goroutine at a time.
package notify
