// Package conformance checks a Site Search Service against its specification:
// one subtest for each rule, named by the section that gives it.
//
// It speaks plain HTTP of its own and shares no code with the client or the
// local service, so that a mistake of theirs is not repeated here. Where the
// specification shows no status or body, a hosted service is held to the shape
// that is shown and the local one to its documented reading.
//
// On a local service every call is held against the OpenAPI document as well.
//
// Run leaves nothing behind: it writes documents of its own below
// https://conformance.invalid/, disabled banners and synonym groups, and deletes
// them. The contract has no delete for a ranking and no create for a quicklink: of
// each it uses one that Target names and restores it; without, one ranking is made
// and stays with empty lists, and quicklinks are not checked. Events can't be taken
// back and are sent with Target.Events alone. Rules that could touch what others put
// there (bulk delete, queued URLs), and those that need what is stored to be read
// back, are checked on a local service only and skipped aloud elsewhere.
//
// To check a hosted service, with the key in the environment (-args -help tells of
// the flags for rankings, quicklinks and events):
//
//	SITESYNC_API_KEY=... go test ./internal/service/conformance -v \
//	    -conformance.base=https://... -conformance.customer=N -conformance.crawler=ID -conformance.engine=N
package conformance
