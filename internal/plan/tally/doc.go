// Package tally counts what the brakes measure: what the documents of each place show, what changed pages
// turn to, and why changes are held.
//
// Memory is constant apart from some 10 bytes for each URL. Places are counted in the order of URLs, turnings
// on disk. Package judge decides what a brake holds. Nothing here is safe for concurrent use.
package tally
