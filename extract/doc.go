// Package extract turns a fetched page into a document for the index. From HTML it extracts the main content,
// title, description, date, language and category; from files the text.
//
// Extraction has two steps, because boilerplate such as menus shows only across the whole site. Read makes a
// Draft of one page: title candidates, fields, and the content as hashed blocks. Finish makes the Document
// from the Draft and the site's profile. A page passes the inner packages in this order: content walks the
// tree and finds blocks and metadata; field derives values from both, by default sources and by the owner's
// rules (package rule); profile removes the text that the site repeats. office and pdf read files. markup
// holds shared knowledge of HTML and text.
//
// It guarantees:
//
//   - The same page bytes, headers, address, hints and rules give the same Draft.
//     No map order, clock or concurrency influences it.
//   - Every output is valid UTF-8 without control characters, with white space folded.
//     Only Content and fields joined by the owner's rules have line breaks.
//     An empty field is absent.
//   - The tree of a page is read in place: never changed and never parsed again.
//   - Recall comes first: an extra line only lowers a rank, a lost paragraph cannot
//     be found.
//   - A page that cannot be read is an error, never an empty Draft.
//
// It leaves to others: fetching, character sets and parsing (crawl), directives such as noindex (crawl), and
// every decision about changes (internal/judge).
//
// An Extractor is safe for concurrent use.
package extract
