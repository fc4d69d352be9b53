// Package conformance checks a Site Search Service against its specification. Each rule is one subtest, whose
// name begins with the section of the specification.
//
// The package makes its own HTTP requests. It shares no code with the client or the local service (package
// service), so it doesn't repeat their mistakes. If the specification shows no status or body, the local
// service must do what its documentation says. A hosted service need only return the shape that is shown.
//
// On a local service every call is also checked against the OpenAPI document.
//
// Run writes documents below https://conformance.invalid/, disabled banners and synonym groups, and deletes
// them again. The API can neither delete a ranking nor create a quicklink. Run uses the ranking and the
// quicklink in Target, and restores them. Without them, it makes a ranking, which stays with empty lists, and
// does not check quicklinks. Events can't be deleted, so Run sends them only if Target.Events is true.
//
// Some rules could change data of others (bulk delete, queued URLs) or must read stored data. Run checks them
// on a local service only, and otherwise reports them as skipped.
//
// To check a hosted service (-args -help shows the flags for rankings, quicklinks and events):
//
//	SITESYNC_API_KEY=... go test ./internal/service/conformance -v \
//	    -conformance.base=https://... -conformance.customer=N -conformance.crawler=ID -conformance.engine=N
package conformance
