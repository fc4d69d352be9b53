// Package ui shows in a browser what the commands show in a terminal: the search before and
// after a plan, the plan, the site, past runs. It is an http.Handler of pages made from embedded
// templates. Everything works as links and forms; scripts only make it faster.
//
// It guarantees that only the owner sees a page or changes anything. A link with a token leads to
// the pages, whose addresses begin with a secret. Requests without the secret, with a foreign
// Host header, or from another origin are refused. Text of a site is escaped.
//
// Options name what reads the ledger, searches, and runs commands. The ledger is never open while
// a page is sent. A Server is safe for concurrent use.
package ui
