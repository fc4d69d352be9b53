package report

import (
	"iter"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// problems is the name of the section of changes that the service did not accept.
const problems = "not accepted"

// Order returns the names of the sections in the order of a report.
func Order() []string {
	return []string{
		problems, string(document.Held), string(document.KindDeleted), string(document.KindMoved),
		string(document.KindChanged), string(document.KindNew), string(document.KindQueued),
	}
}

// sectionOf returns the section of a report that shows a change.
func sectionOf(c *Change) string {
	switch c.State {
	case document.Held:
		return string(document.Held)
	case document.Refused, document.InDoubt:
		return problems
	}
	return string(c.Kind())
}

// section is what a report shows of the changes of one kind.
type section struct {
	Name    string
	N, Rest int                      // how many changes there are, and how many of them are not shown
	Changes iter.Seq2[Change, error] // the ones that are shown, in the order of the plan
}

// ID returns the name of the section for the fragment of an address.
func (s *section) ID() string { return strings.ReplaceAll(s.Name, " ", "-") }

// sections returns the changes by section. most returns how many changes a section shows.
func sections(changes iter.Seq2[Change, error], most func(name string) int) (map[string]*section, error) {
	all := map[string]*section{}
	for c, err := range changes {
		if err != nil {
			return nil, err
		}
		name := sectionOf(&c)
		if all[name] == nil {
			all[name] = &section{Name: name}
		}
		all[name].N++
	}
	for name, s := range all {
		n := min(s.N, most(name))
		s.Rest = s.N - n
		s.Changes = first(n, only(changes, func(c Change) bool { return sectionOf(&c) == name }))
	}
	return all, nil
}

// Folder returns the address of the first folder in a URL's path.
func Folder(url string) string {
	root := weburl.FolderEnd(url, 0)
	if weburl.Origin(url) == "" || root == 0 {
		return url
	}
	return url[:max(root, weburl.FolderEnd(url, root))]
}

// ofKind holds the warnings of one kind and one host whose texts begin alike.
type ofKind struct {
	Kind, Host, says string
	N                int // how many there were; the run keeps some of them
	Kept             []document.Warning
}

// Many reports whether one line stands for all of them.
func (k *ofKind) Many() bool { return k.N > 1 }

// Sum returns how many there are, and where.
func (k *ofKind) Sum() string { return k.Kind + ": " + document.Number(k.N) + also(" on ", k.Host, "") }

// beginning returns the text of a warning before the first number, name or address.
func beginning(text string) string {
	text, _, _ = strings.Cut(text, "http")
	if at := strings.IndexAny(text, `"0123456789`); at >= 0 {
		text = text[:at]
	}
	return text
}

// kinds returns the warnings by kind, in the order of the first of each kind. A run keeps a bounded
// number of them, so they fit into memory.
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

// warningLines returns a line for each kind, which says that the command rest lists the others.
// With all it returns a line for each warning.
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
