// Package extract turns a fetched page into a document for the index: main
// content, title, description, date, language and category of HTML, and the text
// of files.
//
// The work is cut in two, because only the whole site shows what is furniture on a
// page: Read makes a Draft of one page (title candidates, content as hashed blocks),
// Finish makes the Document of it with the site's profile. A page goes through the inner
// rooms in this order: content walks the tree and finds blocks and what the page says of
// itself; field makes values of it, by default sources and by the rules of rule; profile
// takes out what the site repeats. office and pdf read files. markup is what all of them
// know of HTML and text.
//
// It guarantees:
//
//   - The same page bytes, headers, address, hints and rules give the same Draft.
//     No map order, clock or concurrency shows in it.
//   - What comes out is valid UTF-8 without control characters, white space
//     folded; only Content breaks lines, and what the owner's rules join by them. An
//     empty field is absent.
//   - The tree of a page is read in one walk, never changed and never parsed again.
//   - Recall comes first: a stray line only lowers a rank, a lost paragraph cannot
//     be found.
//   - A page that cannot be read is an error, never an empty Draft.
//
// It leaves to others: fetching, character sets and parsing (crawl), directives
// such as noindex (crawl), and every judgement about what a change means
// (internal/judge).
//
// An Extractor is safe for concurrent use.
package extract
