// Package robots parses robots.txt files and decides which URLs they allow (RFC 9309).
//
// Parsing never fails: lines that can't be parsed are skipped. If a robots.txt is missing or invalid,
// [Believe] decides whether an earlier copy is used. The caller fetches the files.
//
// [Rules] are immutable and safe for concurrent use.
package robots
