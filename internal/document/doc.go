// Package document defines the values that the stages of a run hand to each other: a fetched page (Page), the
// result of one look at a URL (Sighting), the content of a page (Draft, Document), the ledger's entry of a
// URL (Record), a change to send (Change) and its result (Outcome).
//
// It decides nothing, and imports no other package of the project. It computes content hashes, and recognises
// media types from names and first bytes (MediaOf). Values are plain data without locks: a sender does not
// touch a value after handing it over.
package document
