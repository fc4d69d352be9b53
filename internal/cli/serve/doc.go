// Package serve holds the command that runs the Site Search Service on this machine
// until it is interrupted, with or without a configuration, and shows a folder of web pages
// beside it. The service itself is internal/service.
package serve
