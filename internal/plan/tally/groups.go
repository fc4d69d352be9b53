package tally

import (
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

// groupDepth is how many folders deep the brakes by groups judge.
const groupDepth = 3

// Groups counts what the brakes measure of each host, each folder of it up to
// groupDepth, and each type. URLs come in order, so one group of each depth alone is
// open at a time, and of those that are over only what holds something is kept: that
// takes five documents or more, so at most some 10 bytes a URL.
type Groups struct {
	open   [1 + groupDepth]judge.Group // the host's first; the name of one that is not open is empty
	closed []judge.Group               // that hold something, none inside one that holds the same
	types  map[document.Type]*judge.Group
}

// NewGroups returns groups of an index that holds so many documents of each type.
func NewGroups(ofType map[document.Type]int) Groups {
	g := Groups{types: map[document.Type]*judge.Group{}}
	for kind, documents := range ofType {
		g.types[kind] = &judge.Group{Name: string(kind), Documents: documents}
	}
	return g
}

// Count counts documents in the folder of a URL that the index holds, or may hold: the
// one of the URL, and others that stay as they are.
func (g *Groups) Count(url string, documents int) {
	end := 0
	for depth := range g.open {
		at := &g.open[depth]
		if at.Name == "" || !strings.HasPrefix(url, at.Name) {
			g.close(depth)
			end = weburl.FolderEnd(url, end)
			if end == 0 {
				return
			}
			at.Name = url[:end]
		}
		end = len(at.Name)
		at.Documents += documents
	}
}

// Judged counts what was judged of the document whose URL came last.
func (g *Groups) Judged(f *judge.Facts, c *document.Change) {
	for depth := range g.open {
		if g.open[depth].Name != "" {
			g.open[depth].Count(f, c)
		}
	}
	if ofType := g.types[f.Record.Type]; ofType != nil {
		ofType.Count(f, c)
	}
}

// close ends the open groups from a depth on, the innermost first.
func (g *Groups) close(from int) {
	for depth := groupDepth; depth >= from; depth-- {
		if at := g.open[depth]; at.Emptied() || at.Sick() {
			g.keep(at)
		}
		g.open[depth] = judge.Group{}
	}
}

// keep takes a group in, in place of those inside it that hold no more than it does.
func (g *Groups) keep(group judge.Group) {
	inside := len(g.closed)
	for inside > 0 && strings.HasPrefix(g.closed[inside-1].Name, group.Name) {
		inside--
	}
	left := slices.DeleteFunc(g.closed[inside:], func(in judge.Group) bool {
		return (group.Emptied() || !in.Emptied()) && (group.Sick() || !in.Sick())
	})
	group.Name = strings.Clone(group.Name) // it is a part of a whole URL
	g.closed = append(g.closed[:inside+len(left)], group)
}

// Conclude closes all groups.
func (g *Groups) Conclude() {
	g.close(0)
	slices.SortFunc(g.closed, func(a, b judge.Group) int { return strings.Compare(a.Name, b.Name) })
}

// Of returns the groups of a document that hold something, the widest first.
func (g *Groups) Of(url string, kind document.Type) (of []judge.Group) {
	for depth, end := 0, weburl.FolderEnd(url, 0); depth <= groupDepth && end > 0 && len(g.closed) > 0; depth++ {
		at, found := slices.BinarySearchFunc(g.closed, url[:end], func(in judge.Group, name string) int { return strings.Compare(in.Name, name) })
		if found {
			of = append(of, g.closed[at])
		}
		end = weburl.FolderEnd(url, end)
	}
	if ofType := g.types[kind]; ofType != nil {
		of = append(of, *ofType)
	}
	return of
}

// DeepestFolder returns where the innermost folder of a URL ends that is judged as a group.
func DeepestFolder(url string) (end int) {
	for range groupDepth + 1 {
		next := weburl.FolderEnd(url, end)
		if next == 0 {
			break
		}
		end = next
	}
	return end
}
