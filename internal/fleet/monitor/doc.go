// Package monitor serves the state of a worker (a process that runs many sites) over HTTP: /metrics for
// Prometheus, /healthz and /readyz for a supervisor. No answer names a site, holds a secret, a path or an
// address, or grows with the number of sites. A Monitor is safe for concurrent use.
package monitor
