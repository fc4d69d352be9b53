// Package pages keeps the last view of each page in a file beside the ledger: facts for the owner, and the
// links between pages. A run needs the links to judge refused pages.
//
// A file is replaced as a whole. Reading a cut or damaged file ends with an error at the damage. A lost file
// costs only the facts, until each page is read again. Package report/site interprets the facts.
//
// Write uses constant memory. The run lock prevents two writers at once. Reading is safe at any time.
package pages
