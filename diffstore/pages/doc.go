// Package pages stores the facts that the last crawls saw of each page, such as title and links, in a file
// beside the ledger (the record of what the index holds). The file serves reports to the site's owner. A run
// uses the links in the file to judge pages that the server refuses. A run also counts the pages in the
// file that make no document.
//
// A file is replaced as a whole. Reading a damaged file ends with an error at the damage. If a file is lost,
// the next crawls collect the facts again. Write uses constant memory. The run lock (one sending run at a
// time) prevents two writers at once. Reading is safe at any time.
package pages
