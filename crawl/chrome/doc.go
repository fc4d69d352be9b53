// Package chrome runs the scripts of pages in Chromium and reads the resulting HTML.
//
// It guarantees four things. The browser has no network: a page's requests are answered by the Site or not at
// all. Pages share no state. Every page ends in bounded time, with bounded requests and bytes. Close removes
// everything that belongs to the browser. The Site decides which requests are allowed, and how they are made.
//
// A Renderer is safe for concurrent use.
package chrome
