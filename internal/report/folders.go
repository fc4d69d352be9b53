package report

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// problems is the section of changes that the service did not accept.
const problems = "not accepted"

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

// section is what one section of a report shows of its changes, which may be many.
type section struct {
	n       int
	first   []Change            // the first few
	folders map[string]*section // the largest are what is shown; nil in a folder
}

// maxFolders bounds how many folders a section tells apart; what comes later counts as one.
const maxFolders = 500

// otherFolders is the name of what is beyond.
const otherFolders = "other folders"

// sections counts the changes by section and folder, and keeps the first of each where not
// all are to be shown.
func sections(changes iter.Seq2[Change, error], shownAll bool) (map[string]*section, error) {
	all := map[string]*section{}
	for c, err := range changes {
		if err != nil {
			return nil, err
		}
		name := sectionOf(&c)
		if all[name] == nil {
			all[name] = &section{folders: map[string]*section{}}
		}
		s, at := all[name], Folder(c.ID)
		if s.folders[at] == nil && len(s.folders) >= maxFolders {
			at = otherFolders
		}
		if s.folders[at] == nil {
			s.folders[at] = &section{}
		}
		kept := limit(name)
		if shownAll {
			kept = 0
		}
		s.add(c, kept)
		s.folders[at].add(c, kept)
	}
	return all, nil
}

// limit returns how many changes of a section are shown unless all are asked for: what
// leaves the index is cut last.
func limit(name string) int {
	if name == string(document.KindDeleted) {
		return 5 * shown
	}
	return shown
}

func (s *section) add(c Change, limit int) {
	s.n++
	if len(s.first) < limit {
		s.first = append(s.first, c)
	}
}

// largest returns the names of the folders that are shown, the largest first, and how many
// changes of each.
func (s *section) largest(limit int) (names []string, each int) {
	names = slices.SortedFunc(maps.Keys(s.folders), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.folders[b].n, s.folders[a].n), cmp.Compare(a, b))
	})
	names = names[:min(len(names), limit)]
	return names, limit / len(names)
}

// Folder returns the address of the first folder that a URL stands in.
func Folder(url string) string {
	scheme, rest, found := strings.Cut(url, "://")
	if !found {
		return url
	}
	host, path, _ := strings.Cut(rest, "/")
	path, _, _ = strings.Cut(path, "?")
	first, _, found := strings.Cut(path, "/")
	if found {
		host += "/" + first
	}
	return scheme + "://" + host + "/"
}
