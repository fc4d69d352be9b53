// Package reading turns the answer to a request into what it says of its URL, one step
// after the other: status, body, tree, signs, links and directives.
//
// It asks nobody. Running a page's scripts is left to the caller, who hands back what
// they made of it. A Reader is safe for concurrent use.
package reading
