// Package notify reports a finished run of sitesync: by mail, HTTP hook, command, call of a ping URL, or file
// of metrics for Prometheus. No error holds a secret, such as a password or the URL of a hook or ping. Hook
// and ping are tried twice, mail and command once. Timeout limits each way. The caller decides what a Message
// may reveal, and removes control characters. One goroutine at a time may use a Notifier.
package notify
