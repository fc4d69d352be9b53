// Package tools makes the search tools of an engine (rankings, quicklinks, banners, synonyms) equal to those
// that a file declares.
//
// Each tool has three versions. The file declares one. The ledger (the record of what was sent) holds the one
// of the last write. The service shows one. If the service's version differs from the ledger's, somebody
// changed the tool by hand. Such a change is overwritten only if the user forces it. JSON keys that a
// declaration cannot express, such as audiences, keep their bytes.
//
// A create is noted in the ledger before it is sent, so that a lost answer never leads to a second create. A
// tool is backed up before it is overwritten or deleted. Other packages read the file, make the calls and
// show the results.
//
// Nothing here is safe for concurrent use.
package tools
