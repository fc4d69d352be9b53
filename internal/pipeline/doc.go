// Package pipeline wires one run. Planning crawls, reads, finishes and judges, and
// writes a plan; it is handed a ledger that can't be written and no client, so that
// a dry run can't do harm. Applying takes a plan and nothing else: it records
// intents, sends, and records outcomes, one transaction a window.
//
// It guarantees that the same site, configuration, ledger and start time give the
// same plan, byte for byte, at any concurrency; that memory does not grow with the
// site beyond the run's table; and that a kill at any instant leaves a ledger from
// which the next run ends in the same state. Decisions are internal/judge's.
//
// A Planner makes one plan. Nothing here is for concurrent use but the Sink that a
// Planner gives to the crawl.
package pipeline
