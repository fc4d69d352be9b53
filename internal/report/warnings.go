package report

import (
	"fmt"
	"iter"
	"strings"

	"sitesync/internal/document"
)

const (
	fewWarnings   = 5 // of one kind, that are listed one by one
	namedWarnings = 3 // of a kind of which there are more
)

// ofKind is what there is of one kind of warning.
type ofKind struct {
	Kind string
	N    int // those that were not kept too
	Kept []document.Warning
}

// Many reports whether they are summed up.
func (k *ofKind) Many() bool { return k.N > fewWarnings }

// kinds returns the warnings by kind, in the order in which the kinds first come. A run
// keeps some of each kind: they fit into memory.
func kinds(warnings iter.Seq2[document.Warning, error]) (kinds []*ofKind, err error) {
	at := map[string]*ofKind{}
	for w, err := range warnings {
		if err != nil {
			return nil, err
		}
		k := at[w.Kind]
		if k == nil {
			k = &ofKind{Kind: w.Kind}
			at[w.Kind] = k
			kinds = append(kinds, k)
		}
		k.Kept = append(k.Kept, w)
		k.N += max(1, w.More)
	}
	return kinds, nil
}

// warningLines returns the lines that tell of warnings: one for each, or one for all of a
// kind where there are many.
func warningLines(warnings iter.Seq2[document.Warning, error], all bool) (lines []string, err error) {
	kinds, err := kinds(warnings)
	for _, k := range kinds {
		if !all && k.Many() {
			var named []string
			for _, w := range k.Kept[:min(namedWarnings, len(k.Kept))] {
				named = append(named, strings.TrimPrefix(w.URL+": "+w.Text, ": "))
			}
			lines = append(lines, fmt.Sprintf("%s: %s of this kind, the first: %s; -v lists them", k.Kind, document.Number(k.N), strings.Join(named, "; ")))
			continue
		}
		for _, w := range k.Kept {
			lines = append(lines, strings.TrimSpace(w.Kind+" "+w.URL)+": "+w.Text)
		}
	}
	return lines, err
}
