// Package preview searches the index as the ledger knows it, and as it would be after a
// plan. It uses two stores of the local service in a temporary folder.
//
// It guarantees that what it shows of a document is escaped, that it sends nothing to the
// service that the owner uses, and that indexes are built in the background, on disk, when
// the first page asks for them.
//
// Its callers choose the ledger and the plan; internal/service does the searching. A Preview
// and a Live are safe for concurrent use.
package preview
