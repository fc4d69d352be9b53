// Package content finds the main content of a page. It reads the tree as blocks of text, and leaves out
// boilerplate (menus and other text that is not content). Then it chooses the main region.
//
// In doubt, text is kept. A part that may be boilerplate is judged when the whole page is known. If a page
// would lose all its text, it is read again and fewer signs of boilerplate are believed. Elements that the
// configuration excludes are never read. The configured content selector overrides the choice of the main
// region. The tree is never changed.
//
// Other packages find fields such as the title (extract/field), and text that a site's pages share
// (extract/profile).
//
// A Reader is safe for concurrent use.
package content
