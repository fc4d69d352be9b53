// Package serve holds the command that runs the Site Search Service on this machine
// until it is interrupted. The service itself is internal/service.
package serve
