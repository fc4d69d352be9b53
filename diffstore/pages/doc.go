// Package pages keeps, in a file beside the ledger, what was last seen of every page: facts
// that the owner wants to look up, and what links to what, for pages that are refused.
//
// It guarantees that a file is replaced as a whole, and that one that is cut or damaged is
// said to be so where the damage begins. Losing the file costs nothing but the facts, until
// each page is read again. What the facts mean is for package site to say.
//
// An Update takes constant memory. Two at once are for the run lock to prevent; reading is
// safe at any time.
package pages
