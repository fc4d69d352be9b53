package tally

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// KeptWarnings is how many warnings of one kind a run keeps: those with the smallest URLs.
const KeptWarnings = 200

// Warnings are what the site's owner should know, on disk.
type Warnings struct {
	kept    *spool.Spill[document.Warning]
	ofKind  map[string]int // how many there are
	misread map[misreading]misread
}

// misreading is what pages of one origin have in common that name one language and
// read like another; misread is how many there are, and the first in the order of URLs.
type (
	misreading struct{ origin, said, found string }
	misread    struct {
		pages int
		first string
	}
)

// NewWarnings returns warnings that are kept in s.
func NewWarnings(s *spool.Scratch) Warnings {
	return Warnings{kept: spool.NewSpill[document.Warning](s, "warning"), ofKind: map[string]int{}, misread: map[misreading]misread{}}
}

// Warn keeps a warning, if it is one of the first of its kind; of those about languages
// none yet.
func (w *Warnings) Warn(one document.Warning) {
	kind, languages, _ := strings.Cut(one.Kind, ":")
	if said, found, both := strings.Cut(languages, ":"); kind == document.WarnLanguage && both {
		key := misreading{weburl.Origin(one.URL), said, found}
		so := w.misread[key]
		w.misread[key] = misread{so.pages + 1, cmp.Or(so.first, one.URL)}
		return
	}
	w.ofKind[one.Kind]++
	if w.ofKind[one.Kind] <= KeptWarnings {
		w.kept.Add(one, nil)
	}
}

// Conclude adds how many warnings were left out, and one for what the pages of an origin
// have in common that are misread.
func (w *Warnings) Conclude() {
	for _, kind := range slices.Sorted(maps.Keys(w.ofKind)) {
		if more := w.ofKind[kind] - KeptWarnings; more > 0 {
			w.kept.Add(document.MoreWarnings(kind, more), nil)
		}
	}
	order := func(a, b misreading) int {
		return cmp.Or(cmp.Compare(a.origin, b.origin), cmp.Compare(a.said, b.said), cmp.Compare(a.found, b.found))
	}
	for _, key := range slices.SortedFunc(maps.Keys(w.misread), order) {
		so := w.misread[key]
		pages := fmt.Sprintf("%d pages of %s, this one first, say", so.pages, key.origin)
		if so.pages == 1 {
			pages = "one page of " + key.origin + " says"
		}
		text := fmt.Sprintf("%s that the language is %s; the text reads like %s: correct the lang attribute", pages, key.said, key.found)
		w.kept.Add(document.Warning{Kind: document.WarnLanguage, URL: so.first, Text: text}, nil)
	}
}

// Left counts warnings of a kind that nobody handed over.
func (w *Warnings) Left(kind string, n int) { w.ofKind[kind] += n }

// Each visits the warnings that are kept, after Conclude.
func (w *Warnings) Each(visit func(document.Warning) error) error {
	return w.kept.Each(func(one document.Warning, _ []byte) error { return visit(one) })
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
