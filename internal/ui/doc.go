// Package ui shows in a browser what the commands show in a terminal: the plan (what the next run would
// send), search results before and after it, the site, past runs. It is an http.Handler of pages made from
// embedded templates. Every page works with plain links and forms; scripts only make it faster.
//
// Only the user who started the program can see a page or change anything. The program prints a link with a
// token. The link redirects to the pages, whose path begins with a secret. Requests without the secret or the
// token, with a foreign Host header, or from another origin are refused. Text from a site is escaped.
//
// Options has functions of the caller that search, run commands, and read the ledger (the record of the
// index). The ledger is never open while a page is sent. A Server is safe for concurrent use.
package ui
