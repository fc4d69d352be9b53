// Package pdf reads text, links and metadata of PDF files. It runs PDFium as WebAssembly in child processes.
//
// It guarantees:
//
//   - No file can harm the parent. PDFium has at most 512 MB of memory. It can't reach files, the network or
//     the environment. The parent ends a child that takes too long or too much memory, or answers garbage.
//   - A child ends when its standard input ends, so no child outlives its parent.
//   - No child starts before the first file. One child reads many files.
//   - A file that is broken, cut off or no PDF is an error. If a readable file has no text, File.NoText says
//     why.
//   - The text is valid UTF-8, in reading order, one column after the other. Lines are joined to paragraphs.
//     On each page, turned lines come last. Form fields and text written onto pages come at the end of the
//     file. Comments of editors and attachments are left out.
//
// Package extract chooses titles and cleans the text. Package internal/judge decides about files that can't
// be read.
//
// A Reader is safe for concurrent use.
package pdf
