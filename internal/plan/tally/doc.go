// Package tally counts for the brakes, which are limits that hold suspicious changes. It counts the missing
// and changed documents of each place (host, folder or content type), the pages that now show one text or
// lead to one address, and the held changes by reason.
//
// Memory is constant apart from some 10 bytes for each URL. Package judge decides which changes a brake
// holds. Nothing in this package is safe for concurrent use.
package tally
