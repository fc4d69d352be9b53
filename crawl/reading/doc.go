// Package reading turns the answer to a request into a Page. It reads the status, the body and the HTML tree.
// It finds redirects, login pages and other replacements, links, and directives such as noindex.
//
// It makes no requests. The caller runs a page's scripts and hands back the resulting HTML. A Reader is safe
// for concurrent use.
package reading
