// Package memory bounds the memory that the pages of a crawl use together: bodies, decoded copies, trees and
// drafts (extracted texts).
//
// All pages together never take more than the bytes of a Budget. No page waits for ever. If one page exceeds
// the limit for a page, Take errs at once. Callers estimate the bytes that they need. A Budget is safe for
// concurrent use; a Share belongs to one goroutine.
package memory
