// Package plan is the planning half of a run. It crawls, reads, finishes and judges,
// and writes a plan; it is handed a ledger that can't be written and no client, so that
// a dry run can't do harm.
//
// It guarantees that the same site, configuration, ledger and start time give the
// same plan, byte for byte, at any concurrency; that memory does not grow with the
// site beyond the run's table; and that a resumed run ends in the plan of one that was
// not stopped. Decisions are internal/judge's, the work folder is internal/work's.
//
// A Planner makes one plan. Nothing here is safe for concurrent use but the Sink that a
// Planner gives to the crawl.
package plan
