package tally

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/warning"
	"sitesync/internal/weburl"
)

// Misreadings are how many pages of one origin name one language and read like another, with
// the first of them in the order of URLs.
type Misreadings map[misreading]misread

type (
	misreading struct{ origin, said, found string }
	misread    struct {
		pages int
		first string
	}
)

// Take counts the page of a warning that says so, and reports whether it does.
func (m Misreadings) Take(w document.Warning) bool {
	kind, languages, _ := strings.Cut(w.Kind, ":")
	said, found, both := strings.Cut(languages, ":")
	if kind != document.WarnLanguage || !both {
		return false
	}
	key := misreading{weburl.Origin(w.URL), said, found}
	so := m[key]
	m[key] = misread{so.pages + 1, cmp.Or(so.first, w.URL)}
	return true
}

// Tell adds one warning for what the pages of an origin have in common.
func (m Misreadings) Tell(to *warning.List) {
	for key, so := range m {
		pages := fmt.Sprintf("%d pages of %s, this one first, say", so.pages, key.origin)
		if so.pages == 1 {
			pages = "one page of " + key.origin + " says"
		}
		text := fmt.Sprintf("%s that the language is %s; the text reads like %s: correct the lang attribute", pages, key.said, key.found)
		to.Add(document.WarnLanguage, so.first, text)
	}
}

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
