package warning

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"sitesync/internal/document"
)

// MostKept is the most warnings of one kind that a List keeps: those whose URLs sort first.
const MostKept = 200

// List collects warnings. The zero List is empty.
type List struct {
	mu    sync.Mutex
	kinds map[string][]document.Warning
	total map[string]int
}

// Add adds a warning about a URL, which may be empty.
func (w *List) Add(kind, url, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.kinds == nil {
		w.kinds, w.total = map[string][]document.Warning{}, map[string]int{}
	}
	w.total[kind]++
	w.kinds[kind] = append(w.kinds[kind], document.Warning{Kind: kind, URL: url, Text: text})
	if len(w.kinds[kind]) >= 2*MostKept {
		w.trim(kind)
	}
}

func (w *List) trim(kind string) {
	slices.SortFunc(w.kinds[kind], compareWarnings)
	before := len(w.kinds[kind])
	w.kinds[kind] = slices.Compact(w.kinds[kind]) // a run may read a sitemap twice, and add warnings twice
	w.total[kind] -= before - len(w.kinds[kind])
	w.kinds[kind] = w.kinds[kind][:min(len(w.kinds[kind]), MostKept)]
}

// All returns the kept warnings, sorted. If warnings of a kind were dropped, one more warning counts them.
func (w *List) All() []document.Warning {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []document.Warning
	for kind := range w.kinds {
		w.trim(kind)
		all = append(all, w.kinds[kind]...)
		if more := w.total[kind] - len(w.kinds[kind]); more > 0 {
			all = append(all, document.MoreWarnings(kind, more))
		}
	}
	slices.SortFunc(all, compareWarnings)
	return all
}

func compareWarnings(a, b document.Warning) int {
	return cmp.Or(strings.Compare(a.Kind, b.Kind), cmp.Compare(a.More, b.More),
		strings.Compare(a.URL, b.URL), strings.Compare(a.Text, b.Text))
}
