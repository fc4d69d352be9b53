package tally

import (
	"fmt"
	"maps"
	"slices"

	"sitesync/internal/document"
)

// RulesChange says in words how the rules differ; nothing where those before are not
// known.
func RulesChange(before, now document.Rules) (changed []string) {
	if before == nil {
		return nil
	}
	names := maps.Clone(before)
	maps.Copy(names, now)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, old := before[name]
		is, current := now[name]
		switch {
		case old && current && was == is:
		case name == document.RulesExtractor:
			changed = append(changed, fmt.Sprintf("%s %d → %d", name, was, is))
		case !old:
			changed = append(changed, name+" is new")
		case !current:
			changed = append(changed, name+" is gone")
		default:
			changed = append(changed, name+" changed")
		}
	}
	return changed
}
