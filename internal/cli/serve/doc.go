// Package serve holds the commands "serve" and "searches". "serve" runs the local search service
// (internal/service) until it is interrupted, with or without a configuration file.
package serve
