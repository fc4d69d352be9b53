// Package monitor tells Prometheus and a supervisor what a worker does: /metrics, /healthz and
// /readyz.
//
// It guarantees that neither the number of sites nor what sites are called or say changes the
// size or the words of an answer, and that no answer holds a secret, a path or an address. It
// leaves to others what a result is. A Monitor is safe for concurrent use.
package monitor
