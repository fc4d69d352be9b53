// Package preview searches the index in two states: as the ledger (the record of the index) describes it, and
// as it would be after a plan (changes that the next run would send). Each state is an index of the local
// search service (internal/service) in a temporary folder. Both are built in the background, when the first
// page asks for them. Callers choose the ledger and the plan.
//
// The package escapes all text of documents and sends nothing to the owner's search service. A Preview and a
// Live (which searches a running service) are safe for concurrent use.
package preview
