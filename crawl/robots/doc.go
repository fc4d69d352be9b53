// Package robots reads robots.txt files and answers what they allow: RFC 9309.
//
// It guarantees that no file is refused: lines that can't be read are skipped, and
// of a file no more than MaxBytes are read. Compare tells a robots.txt that was lost from
// one that changed. Fetching the file, and what its absence means (RFC 9309, section
// 2.3.1), is left to the caller.
//
// Rules are immutable; they and a Lost are safe for concurrent use.
package robots
