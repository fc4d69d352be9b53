// Package serve holds the commands serve and searches. serve runs the local search service until it
// is interrupted, with or without a configuration. internal/service is the service itself.
package serve
