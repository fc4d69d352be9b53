// Package memory bounds the memory that the pages of a crawl use together: bodies, decoded copies, trees and
// drafts (extracted texts).
//
// It guarantees that no more than the bytes of a Budget are in use at a time, and that waiting pages never
// deadlock. For a page that would exceed the limit by itself, Take errs without a wait. Callers estimate the
// bytes that they need. A Budget is safe for concurrent use; a Share belongs to one goroutine.
package memory
