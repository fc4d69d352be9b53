// Package folder answers requests from a folder of built HTML as a static host would,
// its files _redirects and _headers included, and lists the folder's pages.
//
// It guarantees that nothing outside the folder is read, not even through symbolic
// links, and that a file that is there but can't be read is an error, not a missing
// page. What the answers mean is left to the crawl. A Folder is safe for concurrent use.
package folder
