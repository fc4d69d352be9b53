package plan

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// misreading is what pages of one origin have in common that name one language and
// read like another.
type misreading struct{ origin, said, found string }

// misread is how many such pages there are, and the first in the order of URLs.
type misread struct {
	pages int
	first string
}

// noteLanguage counts a warning about one page's language and reports whether w is one.
func (v *verdicts) noteLanguage(w document.Warning) bool {
	kind, languages, _ := strings.Cut(w.Kind, ":")
	said, found, both := strings.Cut(languages, ":")
	if kind != document.WarnLanguage || !both {
		return false
	}
	key := misreading{weburl.Origin(w.URL), said, found}
	so := v.misread[key]
	so.pages, so.first = so.pages+1, cmp.Or(so.first, w.URL)
	v.misread[key] = so
	return true
}

// warnOfLanguages warns once of what the pages of an origin have in common.
func (v *verdicts) warnOfLanguages() error {
	order := func(a, b misreading) int {
		return cmp.Or(cmp.Compare(a.origin, b.origin), cmp.Compare(a.said, b.said), cmp.Compare(a.found, b.found))
	}
	for _, key := range slices.SortedFunc(maps.Keys(v.misread), order) {
		so := v.misread[key]
		pages := fmt.Sprintf("%d pages of %s, this one first, say", so.pages, key.origin)
		if so.pages == 1 {
			pages = "one page of " + key.origin + " says"
		}
		text := fmt.Sprintf("%s that the language is %s; the text reads like %s: correct the lang attribute", pages, key.said, key.found)
		if err := v.warnings.add(document.Warning{Kind: document.WarnLanguage, URL: so.first, Text: text}, nil); err != nil {
			return err
		}
	}
	return nil
}
