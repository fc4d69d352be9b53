// Package rule parses the field rules of the configuration. A [Source] says where values come from, and a
// [Transform] how to change them. Package extract/field finds the values on a page.
//
// The parsers refuse invalid selectors, expressions, date layouts and numbers, so any parsed rule can be
// evaluated. Errors of the parsers and of CheckName begin with "must": the caller writes the wrong value
// before them. Expressions take linear time (RE2). Everything here is safe for concurrent use.
package rule
