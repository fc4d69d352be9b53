// Package record keeps what the last runs of each site did: figures, report and messages.
//
// It guarantees that a record fits its message, whatever a run had to say: long texts are cut
// in the middle, with a line that says so. It leaves to the server how many runs of a site are
// kept, and to its callers what is fit for a terminal. Put and Read are safe for concurrent use.
package record
