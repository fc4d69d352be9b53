package report

import (
	"iter"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// ofKind is what there is of one kind of warning on one host, whose texts begin alike.
type ofKind struct {
	Kind, Host, says string
	N                int // those that were not kept too
	Kept             []document.Warning
}

// Many reports whether they are summed up.
func (k *ofKind) Many() bool { return k.N > 1 }

// Sum returns how many there are, and where.
func (k *ofKind) Sum() string { return k.Kind + ": " + document.Number(k.N) + also(" on ", k.Host, "") }

// beginning returns what a warning says before the first figure or name.
func beginning(text string) string {
	text, _, _ = strings.Cut(text, "http")
	if at := strings.IndexAny(text, `"0123456789`); at >= 0 {
		text = text[:at]
	}
	return text
}

// kinds returns the warnings that are alike, in the order in which these first come. A run
// keeps some of each kind: they fit into memory.
func kinds(warnings iter.Seq2[document.Warning, error]) (kinds []*ofKind, err error) {
	for w, err := range warnings {
		if err != nil {
			return nil, err
		}
		host, says := weburl.Host(w.URL), beginning(w.Text)
		alike := func(k *ofKind) bool { return k.Kind == w.Kind && (k.Host == host && k.says == says || w.More > 0) }
		at := slices.IndexFunc(kinds, alike)
		if at < 0 {
			at, kinds = len(kinds), append(kinds, &ofKind{Kind: w.Kind, Host: host, says: says})
		}
		kinds[at].Kept = append(kinds[at].Kept, w)
		kinds[at].N += max(1, w.More)
	}
	return kinds, nil
}

// warningLines returns the lines that tell of warnings: one for those that are alike, which
// says what lists the others, or one for each warning.
func warningLines(warnings iter.Seq2[document.Warning, error], rest string, all bool) (lines []string, err error) {
	kinds, err := kinds(warnings)
	for _, k := range kinds {
		for _, w := range k.Kept {
			if k.Many() && !all {
				first := strings.TrimPrefix(w.URL+": "+w.Text, ": ")
				lines = append(lines, k.Sum()+", the first: "+first+"; "+rest+" lists them")
				break
			}
			lines = append(lines, strings.TrimSpace(w.Kind+" "+w.URL)+": "+w.Text)
		}
	}
	return lines, err
}
