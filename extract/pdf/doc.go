// Package pdf reads the text, links and metadata of PDF files with PDFium, as
// WebAssembly, in a child process.
//
// It guarantees:
//
//   - No file can harm the parent. PDFium sees its own memory alone, of at most
//     512 MB; it has no file, no network and no environment. The child that holds
//     it is ended when a file takes too long or too much memory, or when it does
//     not keep to the protocol, and the next file gets another one.
//   - No child outlives its parent: the end of its standard input ends it.
//   - Nothing starts before the first file. One child reads many.
//   - A file that is broken, cut off or no PDF is an error that says so. One that
//     can be read and has no text says why in document.File.NoText.
//   - The text is valid UTF-8: lines joined to paragraphs, columns one after the
//     other, words that were divided at line ends joined, what is read from the right
//     in that order. Turned lines come behind the page's others; the values of form fields
//     come last, and what was written on the pages later.
//   - Comments (sticky notes, remarks on a mark, stamps) are left out, as an editor's words.
//     Attachments are not read: they have no address that a search result could lead to.
//
// It leaves to others: which title is of use, cleaning of the text (extract), and
// what an unread file means (internal/judge).
//
// A Reader is safe for concurrent use.
package pdf
