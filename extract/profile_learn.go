package extract

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// leastReads is how many pages can tell that a template changed.
const leastReads = 20

// Learn returns the sections that are new or changed, with a warning for each that
// changed. A section is learned once and stands, until four fifths of its pages that
// were read, 20 at least, lost one of the things they had in common: then it is
// learned anew, if at least half of the section was read and half of that spooled. The
// same is asked of a part that is not known yet: a few new pages do not tell what
// stands on all. fit says of which origins the pages are to be believed; draft returns a
// spooled draft. It errs where that does.
func (l *Learner) Learn(fit func(origin string) bool, draft func(at int64) (document.Draft, error)) (Profile, []document.Warning, error) {
	learned := Profile{}
	var warnings []document.Warning
	for _, key := range l.order() {
		origin, _ := sectionKeys(key)
		old, known := l.profile[key]
		full := len(l.profile)+len(learned) >= maxSections
		if !fit(origin) || known && !l.replaced(key, origin, learned) || !known && (full || key != origin && !l.looks[key].spooled()) {
			continue
		}
		s, ok, err := l.looks[key].learn(draft, l.above(key, origin, learned))
		if err != nil {
			return nil, nil, err
		}
		if !ok || s.Version == old.Version {
			continue
		}
		learned[key] = s
		if known {
			warnings = append(warnings, changedTemplate(key, old, s))
		}
	}
	return learned, warnings, nil
}

// order returns the keys of all sections, origins first.
func (l *Learner) order() []string {
	return slices.SortedFunc(maps.Keys(l.looks), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.Count(a, "/"), strings.Count(b, "/")), strings.Compare(a, b))
	})
}

// Doubtful reports whether some section may have to be learned, or learned anew: only then
// does it matter which pages did not change.
func (l *Learner) Doubtful() bool {
	for key, s := range l.looks {
		if _, known := l.profile[key]; s.replaced() || !known && len(s.sample) >= leastRich {
			return true
		}
	}
	return false
}

// replaced reports whether a section is to be learned anew: its own template changed,
// or that of its origin, which holds what the section need not repeat.
func (l *Learner) replaced(key, origin string, learned Profile) bool {
	_, above := learned[origin]
	return l.looks[key].replaced() || above && l.looks[key].spooled()
}

// above returns what a section need not repeat, that is its origin; nil for an origin.
func (l *Learner) above(key, origin string, learned Profile) *document.Section {
	if key == origin {
		return nil
	}
	s, ok := learned[origin]
	if !ok {
		s = l.profile[origin]
	}
	return &s
}

// replaced reports whether most of the pages lost one and the same thing that most of
// them had; of a section that had nothing in common, whether most of it changed.
func (s *looks) replaced() bool {
	return s.read >= leastReads && s.spooled() &&
		(len(s.held) == 0 || slices.ContainsFunc(s.held, func(n int) bool { return 5*n <= s.read }))
}

// spooled reports whether the drafts of the run stand for the whole section.
func (s *looks) spooled() bool { return s.read >= s.kept && 2*s.drafts >= s.read }

func changedTemplate(key string, old, now document.Section) document.Warning {
	gone := missing(old.Blocks, now.Blocks) + missing(old.Titles, now.Titles) + missing(old.Heads, now.Heads) +
		missing(old.Tails, now.Tails) + missing(old.Descriptions, now.Descriptions)
	return document.Warning{Kind: document.WarnTemplate, URL: key, Text: fmt.Sprintf(
		"the template changed: of %d lines and parts of titles that most pages here repeated %d are gone, %d are new; its pages are read again, and those whose document differs are sent with cause rules",
		old.Len(), gone, now.Len()-old.Len()+gone)}
}

// missing returns how many of old are not in now.
func missing[T cmp.Ordered](old, now []T) int { return len(without(now, slices.Clone(old))) }
