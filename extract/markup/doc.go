// Package markup knows what the HTML of a page is made of: what an element and its
// attributes mean for text, what the words in class and id say, and how text is
// folded. Found carries what a page says of itself from the walk to the fields.
//
// It guarantees that text which comes out is valid UTF-8 without control characters,
// with single spaces; that no page costs stack by its depth; and that a tree is never
// changed. It leaves to others which text is content (extract/content) and which
// value a field takes (extract/field).
//
// Everything but a Folder is safe for concurrent use.
package markup
