// Package document defines the values that the stages of a run hand to each other: a fetched page (Page), the
// result of one look at a URL (Sighting), the content of a page (Draft, Document), a change to send to the
// search service (Change), and its result (Outcome). A Record is the entry of one URL in the ledger, the file
// that records what the index holds.
//
// The package computes content hashes and recognises media types, but decides nothing. It imports no other
// package of the project. Values have no locks: a stage does not change a value after handing it over.
package document
