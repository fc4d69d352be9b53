// Package preview searches the index in two states: as the ledger knows it, and as it would be
// after a plan. It uses two stores of the local search service in a temporary folder.
//
// It escapes all text of documents and sends nothing to the owner's search service. The indexes are
// built on disk, in the background, when the first page asks for them.
//
// Callers choose the ledger and the plan; internal/service does the searching. A Preview and a Live
// are safe for concurrent use.
package preview
