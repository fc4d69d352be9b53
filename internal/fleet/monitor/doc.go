// Package monitor serves the state of a worker (a process that crawls many sites) over HTTP. Prometheus reads
// /metrics, and a supervisor reads /healthz and /readyz. No answer contains a site's name, a secret, a path
// or an address. No answer grows with the number of sites. A Monitor is safe for concurrent use.
package monitor
