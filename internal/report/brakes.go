package report

import (
	"fmt"

	"sitesync/internal/document"
)

// BrakeLine returns one line that tells what a brake holds and why, which line of the
// configuration is the cause, and the command that releases it.
func BrakeLine(t *document.Tripped) string {
	line := fmt.Sprintf("brake %q holds %d: %s", t.Brake, t.Held, t.Why)
	if t.Line != "" {
		line += " (" + t.Line + ")"
	}
	if t.Release != "" {
		line += "; release with: " + t.Release
	}
	return line
}

// brakes tells what each brake holds.
func (t *textWriter) brakes(tripped []document.Tripped) {
	for i := range tripped {
		t.line("  %s", BrakeLine(&tripped[i]))
	}
}
