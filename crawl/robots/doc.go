// Package robots parses robots.txt files and decides what they allow (RFC 9309).
//
// Parsing never fails: lines that can't be parsed are skipped. If a robots.txt is missing or invalid,
// [Believe] decides whether an earlier copy stays in force. The caller fetches the file.
//
// [Rules] are immutable and safe for concurrent use.
package robots
