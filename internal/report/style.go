package report

import _ "embed"

// Style is the style sheet of pages that show a run: of HTML, and of the web application.
//
//go:embed style.css
var Style string

// Rows are the templates of rows that pages show of a run or a site; whoever parses them
// has the functions count, n, short, which cuts a text, and kind, the name of a fault's kind.
//
//go:embed rows.html
var Rows string
