// Package tools makes the search tools of an engine (rankings, quicklinks, banners, synonyms) equal to those
// that a file declares.
//
// Each tool is compared in three versions: as declared, as the ledger (the record of what was sent) knows it
// from the last write, and as the service shows it now. If the service's version differs from the
// ledger's, somebody changed the tool by hand. Such changes are not overwritten unless forced. JSON keys that
// a declaration cannot express, such as audiences, keep their bytes.
//
// A create is noted in the ledger before it is sent, so that a lost answer never leads to a second create.
// Tools are backed up before they are overwritten or deleted. Other packages read the file, make the calls
// and show the results.
//
// Nothing here is safe for concurrent use.
package tools
