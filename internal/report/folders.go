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
	n       int
	folders []*folder // in the order in which they come
}

// folder has the first few changes of one folder.
type folder struct {
	name  string
	n     int
	first []Change
}

// maxFolders bounds how many folders a section tells apart; what comes later counts as one.
const maxFolders = 500

// sections counts the changes by section and folder, and keeps the first of each where not
// all are to be shown.
func sections(changes iter.Seq2[Change, error], shownAll bool) (map[string]*section, error) {
	all, at := map[string]*section{}, map[[2]string]*folder{}
	for c, err := range changes {
		if err != nil {
			return nil, err
		}
		key := [2]string{sectionOf(&c), Folder(c.ID)}
		s := all[key[0]]
		if s == nil {
			s = &section{}
			all[key[0]] = s
		}
		if at[key] == nil && len(s.folders) >= maxFolders {
			key[1] = "other folders"
		}
		f := at[key]
		if f == nil {
			f = &folder{name: key[1]}
			at[key], s.folders = f, append(s.folders, f)
		}
		s.n++
		f.n++
		if !shownAll && len(f.first) < limit(key[0]) {
			f.first = append(f.first, c)
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
