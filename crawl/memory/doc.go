// Package memory bounds what the pages of a crawl take together: bodies, decoded
// copies, trees and drafts.
//
// It guarantees that no more than a Budget's bytes are given out at a time, that pages
// which wait for some never wait for each other in a circle, and that a page which alone
// would take too much errs without a wait. Callers estimate the bytes that they need.
// A Budget is safe for concurrent use, a Share is one goroutine's.
package memory
