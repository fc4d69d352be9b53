package report

import _ "embed"

// Style is the style sheet of pages that show a run: of HTML, and of the web application.
//
//go:embed style.css
var Style string
