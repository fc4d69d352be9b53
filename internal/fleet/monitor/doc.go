// Package monitor serves the state of a worker (a process that crawls many sites) over HTTP: /metrics for
// Prometheus, /healthz and /readyz for a supervisor. No answer contains a site's name, a secret, a path or an
// address. The number of sites does not affect an answer's size. A Monitor is safe for concurrent use.
package monitor
