package plan

import (
	"fmt"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// equals are the addresses of one content that stay documents of their own.
type equals struct {
	sum           string
	first, second string
	n             int
	fresh         bool // one of them is new or changed
}

// tellEqual warns of contents that stand at several addresses which are no variants of
// one: other paths, or other languages.
func (t *twins) tellEqual() error {
	var run equals
	for item := range t.equal.All() {
		sum, url, _ := strings.Cut(item.Key, "\x00")
		if sum != run.sum {
			t.tell(run)
			run = equals{sum: sum}
		}
		seen, err := t.of(url)
		if err != nil {
			return err
		}
		if seen == nil || seen.Seen == document.Read && seen.Canonical == "" {
			run.add(url, seen != nil && !seen.Same)
		}
	}
	t.tell(run)
	return nil
}

func (e *equals) add(url string, fresh bool) {
	switch e.n++; e.n {
	case 1:
		e.first = url
	case 2:
		e.second = url
	}
	e.fresh = e.fresh || fresh
}

func (t *twins) tell(e equals) {
	if e.n < 2 || !e.fresh {
		return
	}
	if len(t.equalTexts) == keptWarnings {
		t.moreEqual++
		return
	}
	more := ""
	if e.n > 2 {
		more = fmt.Sprintf(" and %d more", e.n-2)
	}
	t.equalTexts = append(t.equalTexts, document.Warning{
		Kind: document.WarnSameText, URL: e.first, Text: fmt.Sprintf("has the same text as %s%s; a rel=canonical would make them one", e.second, more),
	})
}

// warnOfTwins passes on what tellEqual found.
func (v *verdicts) warnOfTwins(s *sightings) error {
	slices.SortFunc(s.equalTexts, func(a, b document.Warning) int { return strings.Compare(a.URL, b.URL) })
	for _, w := range s.equalTexts {
		if err := v.warn(w); err != nil {
			return err
		}
	}
	if s.moreEqual > 0 {
		v.told[document.WarnSameText] += s.moreEqual
	}
	return nil
}
