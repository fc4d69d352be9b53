// Package content finds the main content of a page: it reads the tree in one walk,
// as blocks of text, leaves furniture out, and chooses the region that the page is
// about.
//
// It guarantees that recall comes first: where the marks of furniture would take
// everything, the page is read again with less trust in them; what is doubtful is
// settled when the whole page is known. What the owner excludes is never read, and the
// owner's selector wins over all rules. The tree is never changed, and depth costs no
// stack.
//
// It leaves to others the fields that are made of what the walk found (extract/field)
// and what only the whole site shows to be furniture (extract/profile).
//
// A Reader is safe for concurrent use.
package content
