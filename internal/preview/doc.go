// Package preview searches the index in two states: as the ledger (the record of the index) describes it, and
// as it would be after a plan (changes that the next run would send). It uses two stores of the local search
// service in a temporary folder. Callers choose the ledger and the plan; internal/service does the searching.
//
// The package escapes all text of documents and sends nothing to the owner's search service. It builds the
// indexes on disk, in the background, when the first page asks for them. A Preview and a Live (which searches
// a running service) are safe for concurrent use.
package preview
