// Package ui shows in a browser what the commands show in a terminal: the plan (what the next run would
// send), search results before and after it, the site, past runs. It is an http.Handler of pages made from
// embedded templates. Every page works with plain links and forms; scripts only make it faster.
//
// Only the user who started the command can see a page or change anything. The link that the command prints
// contains a token and redirects to the pages, whose path begins with a secret. Requests without the secret,
// with a foreign Host header, or from another origin are refused. Text from a site is escaped.
//
// In Options, the caller supplies functions that read the ledger (the record of the index), search, and run
// commands. The ledger is never open while a page is sent. A Server is safe for concurrent use.
package ui
