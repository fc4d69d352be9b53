package report

import (
	"fmt"
	"strings"

	"sitesync/internal/document"
)

// HealthLine returns one line that tells what the documents of a group look like: how
// many have each field, and how long it is in the middle.
func HealthLine(g *document.HealthGroup) string {
	name := g.Group
	if g.Groups > 0 {
		name = fmt.Sprintf("%d %s", g.Groups, g.Group)
	}
	parts := make([]string, len(g.Fields))
	for i, f := range g.Fields {
		parts[i] = fmt.Sprintf("%s %s", f.Name, figures(f.FieldFigures))
		if f.FellFrom != nil {
			parts[i] += fmt.Sprintf(" (was %s)", figures(*f.FellFrom))
		}
	}
	line := fmt.Sprintf("health %s: %d read, %d of them changed or new, %d of %d known ones worse", name, g.Read, g.Changed, g.Worse, g.Known)
	if len(parts) > 0 {
		line += "; " + strings.Join(parts, ", ")
	}
	return line
}

func figures(f document.FieldFigures) string {
	return fmt.Sprintf("%.4g %% %d bytes", 100*f.Fill, f.Median)
}
