// Package rule is the language of the owner's field rules: where a value comes
// from (Source) and what is made of it (Transform).
//
// It guarantees that what parses can be evaluated: every selector, expression and
// date layout is compiled, every number in range. An error of a parser, and of
// CheckName, reads on after the value: "must …". No expression takes more than
// linear time (RE2), and nothing here keeps state: all is safe for concurrent use.
//
// It leaves to others where on a page a source finds its values.
package rule
