// Package site says how a site is: every known URL with its status, and the faults that its
// owner should mend: broken links with the pages that hold them, redirect chains, titles and
// descriptions that are missing or stand twice, pages of the same text, and the like.
//
// A Builder takes the facts of each URL, in the order of URLs, and makes a Site of them.
// It is pure: it reads and asks nothing. A fault is new when the last run was the first to
// see it. A Site takes about 500 bytes a URL; it is
// not changed once it is made, and may then be read from many goroutines. How it is shown
// is for package report and the web application.
package site
