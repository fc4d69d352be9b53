// Package passage chooses the passages of documents that answer a question best. It
// is a leaf and pure: the same question and documents give the same passages.
//
// It guarantees: each passage is a part of its document's text as it stands, markup
// and all; together, a space after each, they keep within the bytes asked for; no two
// say nearly the same. The work is bounded by the text that is handed in, which
// the caller bounds.
//
// It understands no language: words count by being those of the question or sharing
// most of their letters with one, so a question in other words finds nothing.
package passage
