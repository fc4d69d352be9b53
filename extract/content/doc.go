// Package content finds the main content of a page. It reads the tree in one walk as blocks of text, leaves
// out boilerplate (menus and other text that is not content), and chooses the main region.
//
// It guarantees that, in doubt, text is kept. If the signs of boilerplate would remove everything, the page
// is read again with less trust in them. Whether a doubtful part stays is decided when the whole page is
// known. Elements that the configuration excludes are never read, and the configured content selector wins
// over all rules. The tree is never changed.
//
// It leaves to others: the values of fields such as the title (extract/field), and boilerplate that shows
// only across the whole site (extract/profile).
//
// A Reader is safe for concurrent use.
package content
