package push

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/wire"
)

// maxFields is how many field paths an error's text names.
const maxFields = 20

// readFields returns the field errors of specification section 7, an object keyed by
// field path with an array of messages each; nil when body is anything else.
func readFields(body []byte) wire.FieldErrors {
	var fields wire.FieldErrors
	if json.Unmarshal(body, &fields) != nil {
		return nil
	}
	said := false
	for _, messages := range fields {
		if messages == nil {
			return nil
		}
		said = said || len(messages) > 0
	}
	if !said {
		return nil
	}
	return fields
}

// cleanFields makes foreign paths and messages fit for an error.
func (c *conn) cleanFields(foreign map[string][]string) map[string][]string {
	fields := make(map[string][]string, len(foreign))
	for path, messages := range foreign {
		path = c.clean(path)
		for _, text := range messages {
			fields[path] = append(fields[path], c.clean(text))
		}
	}
	return fields
}

// fieldText names the paths, in order, with their messages.
func fieldText(fields map[string][]string) string {
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(fields)) {
		if len(lines) == maxFields {
			lines = append(lines, fmt.Sprintf("and %d more", len(fields)-maxFields))
			break
		}
		lines = append(lines, path+": "+printable(strings.Join(fields[path], ", ")))
	}
	return strings.Join(lines, "; ")
}
