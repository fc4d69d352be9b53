package report

import (
	"fmt"
	"strings"

	"sitesync/internal/document"
)

// ScopeLine returns one line that tells what one line of the configuration excludes.
func ScopeLine(g *document.ScopeGroup) string {
	line := g.Rule
	if g.Line != "" {
		line += " (" + g.Line + ")"
	}
	documents := "1 document"
	if g.Documents != 1 {
		documents = fmt.Sprintf("%d documents", g.Documents)
	}
	if g.Kept {
		documents += `, kept by delete.out_of_scope = "keep"`
	}
	line += ": " + documents + ": " + strings.Join(g.URLs, ", ")
	if g.Documents > len(g.URLs) {
		line += ", …"
	}
	return line
}

// scope lists what the configuration excludes, apart from what vanished.
func (t *textWriter) scope(groups []document.ScopeGroup) {
	if len(groups) > 0 {
		t.line("out of scope:")
	}
	for i := range groups {
		t.line("  %s", ScopeLine(&groups[i]))
	}
}
