// Package rule parses the field rules of the configuration. A [Source] says where values come from, and a
// [Transform] how to change them. Package extract/field finds the values on a page.
//
// Each parsed rule can be evaluated: every selector, expression and date layout is compiled, and every number
// is in range. An error of a parser or of CheckName begins with "must"; the caller puts the wrong value
// before it. Expressions take linear time (RE2). Everything here is safe for concurrent use.
package rule
