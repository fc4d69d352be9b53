// Package extract turns a fetched page into a document for the index: main
// content, title, description, date, language and category of HTML, and the text
// of files (extract/office).
//
// The work is cut in two, because what is furniture on a page only the whole
// site can tell: Read makes a Draft of one page (title candidates, content as
// hashed blocks), Finish makes the Document of it with the site's Profile. The
// profile is what a Learner found most pages of a section to repeat.
//
// It guarantees:
//
//   - The same page bytes, headers, address, hints and rules give the same Draft.
//     No map order, clock or concurrency shows in it.
//   - What comes out is valid UTF-8 without control characters, white space
//     folded; only Content breaks lines, and what the owner's rules join by them. An
//     empty field is absent.
//   - The tree of a page is read in one walk, never changed and never parsed
//     again; the article finder, which calls itself, gets a bounded copy. Depth
//     costs no stack.
//   - Recall comes first: a stray line only lowers a rank, a lost paragraph cannot
//     be found. Where rules for furniture would take everything, they give way;
//     what is doubtful is settled when the whole page is known.
//   - A page that cannot be read is an error, never an empty Draft.
//
// It leaves to others: fetching, character sets and parsing (crawl), directives
// such as noindex (crawl), and every judgement about what a change means
// (internal/judge).
//
// An Extractor is safe for concurrent use.
package extract
