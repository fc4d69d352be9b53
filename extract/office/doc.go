// Package office reads the text of office files as they stream by: Office Open
// XML (DOCX, PPTX, XLSX and their templates; ISO/IEC 29500, transitional and strict),
// OpenDocument (ODT, ODP, ODS, ODG; ISO/IEC 26300) and plain text. What a file is, its own parts
// tell, not its name.
//
// It guarantees:
//
//   - The same bytes give the same File, blocks in reading order, white space
//     folded.
//   - Parts are found by their relationships and elements by their namespaces;
//     names and prefixes mean nothing.
//   - Paragraphs of a DOCX begin with the number that a reader sees, of a list or of a
//     heading; bullets are left out. Text boxes and notes follow the paragraph or the
//     text that they belong to, and fields show what was filled in.
//   - Cells read as they show, days and times in the forms of ISO 8601. Diagrams, charts
//     and documents in documents are read at their place.
//   - What a reader does not see is left out: deleted and hidden text, sheets and slides,
//     field codes, comments, speaker's notes, headers, footers, controls to be filled in,
//     and what stands for old programs beside the real thing (mc:Fallback).
//   - No file makes it work or allocate without end. What is inflated is counted,
//     whatever the archive says of itself, as are elements, depth and text; no node
//     is held that is longer than maxNode. An archive that claims to inflate out
//     of all proportion errs; a file that is merely long is cut, as its text is.
//
// It leaves to others: which media types are such files, and which of the title,
// dates and language that a file names are to be believed (extract).
//
// Everything here is safe for concurrent use.
package office
