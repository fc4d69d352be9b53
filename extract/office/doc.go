// Package office reads the text of office files: Office Open XML (DOCX, PPTX, XLSX and their templates;
// ISO/IEC 29500, transitional and strict), OpenDocument (ODT, ODP, ODS, ODG; ISO/IEC 26300) and plain text.
//
// It guarantees:
//
//   - The same bytes give the same File, with blocks in reading order and single spaces.
//   - The content tells the format, not the name of the file. Namespaces identify elements, prefixes do not.
//   - A numbered paragraph of a DOCX begins with the number that a reader sees. Bullets are left out.
//     A text box or footnote comes after the text to which it belongs.
//   - Cells of a workbook have the text that a reader sees, but days and times in the forms of ISO 8601.
//     Diagrams, charts and embedded documents are read at their place.
//   - Text that a reader does not see is left out, such as deleted text, hidden sheets and comments.
//     So are speaker's notes, headers, footers, and copies for old programs.
//   - Work and memory are bounded for every file, whatever sizes the file declares.
//     A zip bomb is an error. A file that is merely long is cut.
//
// Package extract decides which media types are such files, and whether to trust a file's metadata.
//
// Everything here is safe for concurrent use.
package office
