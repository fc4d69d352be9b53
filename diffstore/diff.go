package diffstore

import (
	"maps"
	"slices"

	"sitesync/internal/document"
)

// Diff returns what differs between a document, given as its type and field
// hashes, and what its record says the index holds.
func Diff(t document.Type, fields map[string]document.Hash, rec *document.Record) document.Delta {
	var delta document.Delta
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if held, ok := rec.Fields[name]; !ok || held != fields[name] {
			delta.Changed = append(delta.Changed, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rec.Fields)) {
		if _, ok := fields[name]; !ok {
			delta.Lost = append(delta.Lost, name)
		}
	}
	delta.Type = t != rec.Type
	return delta
}
