// Package notify sends a message about a run that ended: by mail, to an HTTP hook, to a command, as a ping, and as a
// file of figures for Prometheus.
//
// It guarantees that no error holds a secret: a password, or the address of a hook or ping. Mail and command are
// tried once, hook and ping twice, within Timeout. The caller decides what a Message may reveal, and cleans it for
// terminals. Values of this package may be used by one goroutine at a time.
package notify
