// Package folder answers requests from a folder of built HTML as a static host would, the files _redirects
// and _headers included. It also lists the folder's pages.
//
// It guarantees that nothing outside the folder is read, not even through symbolic links. A file that exists
// but can't be read is an error, not a missing page. A Folder is safe for concurrent use.
package folder
