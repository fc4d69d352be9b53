// Package extract turns a fetched page into a document for the index. From HTML it extracts the main content,
// title, description, date, language and category; from files the text.
//
// Extraction has two steps, because menus and other repeated text show only when pages are compared. Read
// makes a Draft (a document before the site's common text is removed) of one page. It has title candidates,
// fields, and the content as hashed blocks. Finish makes the Document from the Draft and the site's profile
// (text that the site's pages share). A page passes the inner packages in this order: content walks the tree
// and finds blocks and metadata; field derives values from both, by default sources and by configured rules
// (package rule); profile removes repeated text. office and pdf read files. markup holds shared knowledge of
// HTML and text.
//
// It guarantees:
//
//   - The same page bytes, headers, URL, hints (such as a sitemap's lastmod) and rules give the same Draft.
//     No map order, clock or concurrency influences it.
//   - Every output is valid UTF-8 without control characters, with white space folded.
//     Only Content and fields joined by configured rules have line breaks.
//     A document has no empty fields.
//   - The tree of a page is read in place: never changed and never parsed again.
//   - In doubt, text is kept: an extra line only lowers a rank, a lost paragraph can't be found.
//   - A page that can't be read is an error, never an empty Draft.
//
// It leaves to others: fetching, character sets and parsing (crawl), directives such as noindex (crawl), and
// every decision about changes (internal/judge).
//
// An Extractor is safe for concurrent use.
package extract
