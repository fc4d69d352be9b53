// Package tally counts for the brakes, which are limits that hold suspicious changes. It counts the missing
// and changed documents of each place (host, folder or content type). It also counts the pages that now show
// the same text or lead to the same address, and the held changes by reason.
//
// Memory is constant apart from some 10 bytes for each URL. Package judge decides which changes a brake
// holds. Nothing in this package is safe for concurrent use.
package tally
