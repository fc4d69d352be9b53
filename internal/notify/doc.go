// Package notify reports a finished run of sitesync: by mail, to an HTTP hook, to a command, as a call of a
// ping URL, and as a file of metrics for Prometheus. No error holds a secret, such as a password or the URL
// of a hook or ping. Mail and command are tried once, hook and ping twice. Each way is limited by Timeout.
// The caller decides what a Message may reveal, and removes control characters for terminals. Only one
// goroutine at a time may use a value of this package.
package notify
