package report

import (
	"iter"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// problems is the name of the section of changes that the service did not accept.
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

// Folder returns the address of the first folder that a URL stands in.
func Folder(url string) string {
	root := weburl.FolderEnd(url, 0)
	if weburl.Origin(url) == "" || root == 0 {
		return url
	}
	return url[:max(root, weburl.FolderEnd(url, root))]
}
