package report

import (
	"iter"

	"sitesync/internal/document"
	"sitesync/internal/weburl"
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
	n     int
	first []Change
}

// sections counts the changes by section, and keeps the first of each where not all are to
// be shown.
func sections(changes iter.Seq2[Change, error], shownAll bool) (map[string]*section, error) {
	all := map[string]*section{}
	for c, err := range changes {
		if err != nil {
			return nil, err
		}
		name := sectionOf(&c)
		s := all[name]
		if s == nil {
			s = &section{}
			all[name] = s
		}
		s.n++
		if !shownAll && s.n <= limit(name) {
			s.first = append(s.first, c)
		}
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

// Folder returns the address of the first folder that a URL stands in.
func Folder(url string) string {
	root := weburl.FolderEnd(url, 0)
	if weburl.Origin(url) == "" || root == 0 {
		return url
	}
	return url[:max(root, weburl.FolderEnd(url, root))]
}
