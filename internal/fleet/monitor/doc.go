// Package monitor tells Prometheus and a supervisor what a worker does: /metrics, /healthz and
// /readyz.
//
// It guarantees that no answer names a site, or grows with the number of sites, and that no answer holds
// a secret, a path or an address. A Monitor is safe for concurrent use.
package monitor
