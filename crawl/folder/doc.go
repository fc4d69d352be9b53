// Package folder answers requests from a folder of built HTML, as a static host would. It applies the rules
// in the folder's files _redirects and _headers. It also lists the folder's pages.
//
// No file outside the folder is read, not even through a symbolic link. If a file exists but can't be read,
// the request fails. A Folder is safe for concurrent use.
package folder
