// Package record keeps the last runs of each site: figures, report and messages.
//
// It guarantees that a record fits its message: long texts are cut in the middle, with a line that says
// so. The server limits how many runs of a site are kept. Callers clean texts for a terminal. Put and
// Read are safe for concurrent use.
package record
