// Package pages stores what the last crawls saw of each page, such as its title and links. Its file lies
// beside the ledger (the record of what the index holds). Reports to the site's owner use the file. A run
// learns from it the links to pages that the server refuses, and the number of pages without a document.
//
// Write replaces the whole file, in constant memory. The run lock (one sending run at a time) prevents two
// writers at once. Reading is safe at any time, and ends with an error where the file is damaged. If the file
// is lost, the next crawls collect the facts again.
package pages
