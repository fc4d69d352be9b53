// Package markup holds shared knowledge of HTML: how each element affects text, which words in class and id
// mark boilerplate, and how white space is folded. Package extract/content decides which text is content, and
// stores a page's metadata in a [Found]. From it, package extract/field makes the fields of the document.
//
// Output text is always valid UTF-8, without control characters and with single spaces. A tree is never
// changed. Everything is safe for concurrent use, except a [Folder].
package markup
