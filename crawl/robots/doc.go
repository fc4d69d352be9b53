// Package robots reads robots.txt files and answers what they allow: RFC 9309.
//
// It guarantees that no file is refused: lines that can't be read are skipped. Believe tells a robots.txt that was lost from
// one that changed. Fetching the file is left to the caller.
//
// Rules are immutable and safe for concurrent use.
package robots
