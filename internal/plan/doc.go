// Package plan crawls a site, compares its documents with the ledger (the file that records what the search
// index holds), and writes a plan: the changes to send. It gets a read-only ledger and no client of the
// search service, so that a dry run can't do harm.
//
// The same site, configuration, ledger and start time give the same plan, byte for byte, at any concurrency.
// Memory does not grow with the site, except for the run's URL table. A resumed run makes the plan of an
// uninterrupted run.
//
// Package judge decides which changes are due. Package work keeps the files of an unfinished run. A Planner
// makes one plan. Only the Sink that a Planner gives to the crawl is safe for concurrent use.
package plan
