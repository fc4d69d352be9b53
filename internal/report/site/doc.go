// Package site describes the state of a site: every known URL with its status, and the faults that its owner
// should mend, such as broken links, redirect chains, and titles that are missing or used twice.
//
// A Builder gets the facts of each URL, in the order of URLs, and makes a Site. A Site takes about 500 bytes
// for each URL. It does not change, so many goroutines may read it. Package report and the web application
// show it. The package reads no file and sends no request.
package site
