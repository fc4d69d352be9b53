// Package chrome runs the scripts of pages in Chromium and reads the resulting HTML.
//
// The browser has no network: only the Site answers a page's requests. The Site decides which requests are
// allowed, and how they are made. Pages share no state. The time, requests and bytes of a page are bounded.
// Close removes everything that belongs to the browser.
//
// A Renderer is safe for concurrent use.
package chrome
