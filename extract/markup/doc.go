// Package markup holds shared knowledge of HTML: how each element affects text, which words in class and id
// mark boilerplate, and how white space is folded. Package extract/content fills a [Found] with a page's
// metadata, from which package extract/field takes the fields of the document.
//
// Output text is always valid UTF-8, without control characters and with single spaces. A tree is never
// changed. Package content decides which text is content; package field decides field values.
//
// Everything except a [Folder], which collects text, is safe for concurrent use.
package markup
