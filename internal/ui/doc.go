// Package ui shows in a browser what the commands show in a terminal: the search before and
// after a plan, the plan, the site, past runs. It is an http.Handler of pages made from embedded
// templates. Every function works with plain links and forms; scripts only make it faster.
//
// Only the owner can see a page or change anything. The link that the command prints contains a
// token and redirects to the pages, whose path begins with a secret. Requests without the secret,
// with a foreign Host header, or from another origin are refused. Text from a site is escaped.
//
// The caller supplies, in Options, functions that read the ledger, search, and run commands. The
// ledger is never open while a page is sent. A Server is safe for concurrent use.
package ui
