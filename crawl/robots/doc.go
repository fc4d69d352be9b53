// Package robots parses robots.txt files and decides what they allow (RFC 9309).
//
// No file is refused: lines that can't be parsed are skipped. Believe decides whether a robots.txt was
// changed, or was lost and the last good copy still counts. The caller fetches the file.
//
// Rules are immutable and safe for concurrent use.
package robots
