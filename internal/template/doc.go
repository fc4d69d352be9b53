// Package template fills the project's own pages and texts. It runs what text/template/parse
// reads: the language of text/template, without methods, pipes between commands, break and
// continue. Pages are given the functions that stand for methods.
//
// It stands in place of text/template and html/template because those call methods by name,
// so that the linker keeps every exported method of every type: 7.4 MB of the program
// (docs/decisions/size.md). Nothing is written of a nil. In tests html/template is the measure that HTML is held to.
//
// HTML guarantees that a value stays text, wherever it stands, and that addresses lead to
// http, https, mailto or the same host. A Template may be used concurrently.
package template
