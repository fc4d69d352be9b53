// Package robots parses robots.txt files and decides what they allow (RFC 9309).
//
// No file is refused: lines that can't be parsed are skipped. Believe distinguishes a robots.txt that was
// lost from one that changed. The caller fetches the file.
//
// Rules are immutable and safe for concurrent use.
package robots
