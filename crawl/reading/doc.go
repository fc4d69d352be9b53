// Package reading turns the answer to a request into a Page. Its steps are status, body, tree, signs, links
// and directives.
//
// It makes no requests. The caller runs a page's scripts and hands back the resulting HTML. A Reader is safe
// for concurrent use.
package reading
