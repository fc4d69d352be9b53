// Package rule is the language of the configured field rules. A Source says where values come from, and a
// Transform how to change them. It leaves to extract/field where on a page a source finds its values.
//
// It guarantees that a rule without parse error can be evaluated: every selector, expression and date layout
// is compiled, and every number is in range. An error of a parser or of CheckName begins with "must"; the
// caller puts the wrong value before it. Expressions take linear time (RE2). Everything here is safe for
// concurrent use.
package rule
