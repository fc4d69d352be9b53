package crawl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"sitesync/internal/document"
)

// keptWarnings is how many warnings of one kind a run keeps: those with the
// smallest URLs, so that the choice does not depend on the order of the crawl.
const keptWarnings = 200

// warnings gathers what the owner should know, in bounded memory. It is safe for
// concurrent use.
type warnings struct {
	mu    sync.Mutex
	kinds map[string][]document.Warning
	total map[string]int
}

func (w *warnings) warn(kind, url, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kinds == nil {
		w.kinds, w.total = map[string][]document.Warning{}, map[string]int{}
	}
	w.total[kind]++
	w.kinds[kind] = append(w.kinds[kind], document.Warning{Kind: kind, URL: url, Text: text})
	if len(w.kinds[kind]) >= 2*keptWarnings {
		w.trim(kind)
	}
}

func (w *warnings) trim(kind string) {
	slices.SortFunc(w.kinds[kind], compareWarnings)
	told := len(w.kinds[kind])
	w.kinds[kind] = slices.Compact(w.kinds[kind]) // a sitemap that was read twice says all twice
	w.total[kind] -= told - len(w.kinds[kind])
	w.kinds[kind] = w.kinds[kind][:min(len(w.kinds[kind]), keptWarnings)]
}

// all returns the warnings in order; of a kind that was cut short a last one
// tells how many there were.
func (w *warnings) all() []document.Warning {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []document.Warning
	for kind := range w.kinds {
		w.trim(kind)
		all = append(all, w.kinds[kind]...)
		if more := w.total[kind] - len(w.kinds[kind]); more > 0 {
			all = append(all, document.Warning{Kind: kind, Text: fmt.Sprintf("and %d more of this kind", more)})
		}
	}
	slices.SortFunc(all, compareWarnings)
	return all
}

func compareWarnings(a, b document.Warning) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.URL, b.URL), strings.Compare(a.Text, b.Text))
}
