// Package markup holds shared knowledge of HTML: how each element affects text, which words in class and id
// mark boilerplate, and how white space is folded. The type Found carries a page's metadata from the tree
// walk (extract/content) to the fields (extract/field).
//
// It guarantees that its output text is valid UTF-8 without control characters and with single spaces. Deep
// nesting of a page costs no stack. A tree is never changed. Which text is content is decided in
// extract/content, and the values of fields in extract/field.
//
// Everything except a Folder is safe for concurrent use.
package markup
