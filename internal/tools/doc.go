// Package tools keeps the search tools of an engine (rankings, quicklinks, banners,
// synonyms) true to a file beside the site.
//
// A tool is compared from three sides: as it is declared, as the ledger knows it from
// the last write, and as the service shows it now. What differs between the last two
// was changed by hand, and is not overwritten unless forced. Keys that no declaration
// knows, audiences among them, keep their bytes.
//
// It guarantees that a create is noted in the ledger before it is sent, so that one
// whose answer was lost is never silently made twice, and that what is overwritten or
// deleted was backed up. It leaves to others how the file is read, the calls are made
// and results are shown.
//
// Nothing here is safe for concurrent use.
package tools
