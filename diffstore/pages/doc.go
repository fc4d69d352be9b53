// Package pages stores what was last seen of each page, in a file beside the ledger (the record of what the
// index holds). The site's owner is shown these facts. A run uses only the links between pages, to judge
// pages that the server refuses.
//
// A file is replaced as a whole. Reading a cut or damaged file ends with an error at the damage. A lost file
// costs only the facts, until each page is read again.
//
// Write uses constant memory. The run lock (one sending run at a time) prevents two writers at once. Reading
// is safe at any time.
package pages
