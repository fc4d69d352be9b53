// Package plan is the planning half of a run. It crawls, reads, finishes and judges pages, and writes a plan.
// It gets a read-only ledger and no client of the service, so that a dry run can't do harm.
//
// The same site, configuration, ledger and start time give the same plan, byte for byte, at any concurrency.
// Memory does not grow with the site, except for the run's URL table. A resumed run ends in the plan of an
// uninterrupted one.
//
// Package judge decides, and package work manages the work folder. A Planner makes one plan. Only the Sink
// that a Planner gives to the crawl is safe for concurrent use.
package plan
