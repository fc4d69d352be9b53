// Package document holds the nouns that the stages of a run hand to each
// other: what was fetched (Page), what a look at one URL found (Sighting), what
// a page says (Draft, Document), what the ledger keeps of one URL (Record),
// what is to be sent (Change, Evidence) and how that ended (Outcome).
//
// It is a leaf: it decides nothing and imports nothing of the project. The only
// computations here are content hashes, and what a body is by its names and first
// bytes (MediaOf). Values are plain data; a value handed over is no longer touched by
// the giver, so nothing here needs a lock.
package document
