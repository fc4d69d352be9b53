package extract

import (
	"fmt"

	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// Parts returns what every fingerprint is made of beside the profile, by the names of
// the configuration: so that a change can be told in its words.
func (e *Extractor) Parts() document.Rules {
	parts := document.Rules{
		document.RulesExtractor: Revision,
		"[extract]":             xxhash.Sum64String(e.options.base()),
	}
	add := func(name, key string) {
		parts[name] = parts[name]*0x9E3779B97F4A7C15 + xxhash.Sum64String(key)
	}
	for i, s := range e.options.Sections {
		add(fmt.Sprintf("[[extract.section]] where %q", s.Where.Patterns), fmt.Sprint(e.sections[i].sum))
	}
	for i, f := range e.options.Fields {
		add("[[extract.field]] "+f.Name, fmt.Sprintf("%d %q", e.fields[i].hash, f.Where.Patterns))
	}
	return parts
}
