// Package tally counts what the brakes measure: what the documents of each place show, what
// changed pages turn to, and the reasons that hold changes.
//
// It guarantees constant memory beside some 10 bytes a URL, whatever the site: places are
// counted in the order of URLs, turnings on disk. What a brake holds is internal/judge's.
// Nothing here is safe for concurrent use.
package tally
