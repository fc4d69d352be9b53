// Package pdf reads text, links and metadata of PDF files. It runs PDFium as WebAssembly in child processes.
//
// It guarantees:
//
//   - No file can harm the parent. PDFium has at most 512 MB of memory. It can't reach files, the network
//     or the environment. The parent ends a child that takes too long or too much memory, or answers garbage.
//   - No child outlives its parent, because a child ends when its standard input ends.
//   - No child starts before the first file. One child reads many files.
//   - A file that is broken, cut off or no PDF is an error. If a readable file has no text, File.NoText says
//     why.
//   - The text is valid UTF-8, in reading order. Lines are joined to paragraphs, divided words are joined.
//     Columns follow each other. Turned lines come last on a page; form fields and text that was written onto
//     pages come last in the file. Comments of editors and attachments are left out.
//
// It leaves to others: which titles are useful, cleaning of the text (extract), and what happens to the
// document of a file that can't be read (internal/judge).
//
// A Reader is safe for concurrent use.
package pdf
