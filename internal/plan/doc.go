// Package plan crawls a site, compares its documents with the ledger (the file that records what the search
// index holds), and writes a plan: the changes to send. It has no client of the search service and can only
// read the ledger. So a dry run can't do harm.
//
// The same site, configuration, ledger and start time give the same plan, byte for byte, at any concurrency.
// An interrupted run that is resumed gives this plan too. Memory does not grow with the site, except for the
// run's URL table.
//
// Package judge decides which changes are due. Package work keeps the files of an unfinished run. A Planner
// makes one plan. Only its Sink, to which the crawl reports, is safe for concurrent use.
package plan
