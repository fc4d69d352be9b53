// Package monitor answers Prometheus and a supervisor of a worker: /metrics, /healthz and /readyz.
//
// It guarantees that no answer names a site, or grows with the number of sites, and that no answer holds a
// secret, a path or an address. A Monitor is safe for concurrent use.
package monitor
