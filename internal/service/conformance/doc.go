// Package conformance checks a Site Search Service against its specification:
// one subtest for each rule, named by the section that gives it.
//
// It speaks plain HTTP of its own and shares no code with the client or the
// local service, so that a mistake of theirs is not repeated here. Where the
// specification shows no status or body, a hosted service is held to the shape
// that is shown and the local one to its documented reading.
//
// Run leaves nothing behind: it writes documents of its own below
// https://conformance.invalid/ and deletes them. Rules that could touch what
// others put there (bulk delete, queued URLs), and those that need what is
// stored to be read back, are checked on a local service only and skipped aloud
// elsewhere.
//
// To check a hosted service, with the key in the environment:
//
//	SITESYNC_API_KEY=... go test ./internal/service/conformance \
//	    -conformance.base=https://... -conformance.customer=N -conformance.crawler=ID
package conformance
