// Package preview searches the index as the ledger knows it, and as it would be after a
// plan, with the local service: two of its stores in a temporary folder.
//
// It guarantees that what it shows of a document is plain text, with the places that match,
// and that the service that the owner pushes to is asked nothing. Indexes are built in the
// background, on disk, once the first page asks for them.
//
// It leaves to others which ledger and which plan are shown, and the search itself
// (internal/service). A Preview and a Live are safe for concurrent use.
package preview
