package report

import (
	"iter"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const problems = "not accepted"

// Order returns the names of a report's sections, in the order in which reports show them.
func Order() []string {
	return []string{
		problems, string(document.Held), string(document.KindDeleted), string(document.KindMoved),
		string(document.KindChanged), string(document.KindNew), string(document.KindQueued),
	}
}

func sectionOf(c *Change) string {
	switch c.State {
	case document.Held:
		return string(document.Held)
	case document.Refused, document.InDoubt:
		return problems
	}
	return string(c.Kind())
}

type section struct {
	Name    string
	N, Rest int // the section has N changes, and the report omits Rest of them
	Changes iter.Seq2[Change, error]
}

func (s *section) ID() string { return strings.ReplaceAll(s.Name, " ", "-") }

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

// Folder cuts a URL after the first folder of its path.
func Folder(url string) string {
	root := weburl.FolderEnd(url, 0)
	if weburl.Origin(url) == "" || root == 0 {
		return url
	}
	return url[:max(root, weburl.FolderEnd(url, root))]
}

// ofKind is a group of warnings of the same kind and host whose texts begin alike.
type ofKind struct {
	Kind, Host, says string
	N                int // number of all warnings; a run keeps only some of them, in Kept
	Kept             []document.Warning
}

func (k *ofKind) Many() bool { return k.N > 1 }

func (k *ofKind) Sum() string { return k.Kind + ": " + document.Number(k.N) + also(" on ", k.Host, "") }

func beginning(text string) string {
	text, _, _ = strings.Cut(text, "http")
	if at := strings.IndexAny(text, `"0123456789`); at >= 0 {
		text = text[:at]
	}
	return text
}

func groupWarnings(warnings iter.Seq2[document.Warning, error]) (groups []*ofKind, err error) {
	for w, err := range warnings {
		if err != nil {
			return nil, err
		}
		host, says := weburl.Host(w.URL), beginning(w.Text)
		alike := func(k *ofKind) bool { return k.Kind == w.Kind && (k.Host == host && k.says == says || w.More > 0) }
		at := slices.IndexFunc(groups, alike)
		if at < 0 {
			at, groups = len(groups), append(groups, &ofKind{Kind: w.Kind, Host: host, says: says})
		}
		groups[at].Kept = append(groups[at].Kept, w)
		groups[at].N += max(1, w.More)
	}
	return groups, nil
}

func warningLines(warnings iter.Seq2[document.Warning, error], rest string, all bool) (lines []string, err error) {
	groups, err := groupWarnings(warnings)
	for _, k := range groups {
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
