// Package chrome lets Chromium run the scripts of pages and reads what they make.
//
// It guarantees that the browser has no network: every request of a page is answered
// by the Site, or not at all; that pages share nothing; and that a page comes to its
// end in bounded time, requests and bytes. Close leaves nothing of the browser behind.
// What may be asked, and how, is the Site's matter; what a page means, the caller's.
//
// A Renderer is safe for concurrent use.
package chrome
