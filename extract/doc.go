// Package extract turns a fetched page into a document for the index. From HTML it extracts the main content,
// title, description, date, language and category; from files the text.
//
// Extraction has two steps, because repeated text such as menus shows only when pages are compared. Read
// makes a Draft of one page: title candidates, fields, and the content as hashed blocks. Finish makes the
// Document from the Draft. It removes the text that the site's profile lists: text that the site's pages
// share.
//
// The inner packages do the work. Package content finds blocks and metadata in the page's tree. Package field
// derives values from both, by default sources and by configured rules (package rule). Package profile
// removes repeated text. Packages office and pdf read files. Package markup holds what the others know of
// HTML and text.
//
// It guarantees:
//
//   - The same page bytes, headers, URL, hints (such as a sitemap's lastmod) and rules give the same Draft.
//     No map order, clock or concurrency influences it.
//   - Every output is valid UTF-8 without control characters, with white space folded.
//     Only Content, and fields joined by configured rules, have line breaks. No field of a document is empty.
//   - The tree of a page is read in place: never changed and never parsed again.
//   - In doubt, text is kept: an extra line only lowers a rank, but nobody finds a lost paragraph.
//   - A page that can't be read is an error, never an empty Draft.
//
// Package crawl fetches and parses pages, and obeys directives such as noindex. Package internal/judge
// decides about changes. An Extractor is safe for concurrent use.
package extract
