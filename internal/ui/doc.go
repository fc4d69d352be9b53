// Package ui shows in a browser what the commands show in a terminal: the search before
// and after a plan, the plan, the site, the nights. It is an http.Handler of pages made
// from embedded templates; everything works as links and forms, scripts only make it
// quicker.
//
// It guarantees that nobody but the owner sees a page or changes anything: a link with a
// token leads to the pages, whose addresses begin with a secret; what lacks it, a
// foreign Host header and a foreign origin are refused. Strings of a site are escaped
// and stay text.
// It keeps a plan as compact rows, and never holds the ledger while it writes a page.
//
// It leaves reading the ledger, searching and every command to what Options name. A
// Server is safe for concurrent use.
package ui
