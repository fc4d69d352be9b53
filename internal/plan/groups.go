package plan

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// groupDepth is how many folders deep the brakes by groups judge.
const groupDepth = 3

// groups counts what the brakes measure of each host, each folder of it up to
// groupDepth, and each type. URLs come in order, so one group of each depth alone is
// open at a time, and of those that are over only what holds something is kept: that
// takes five documents or more, so at most some 10 bytes a URL.
type groups struct {
	open   [1 + groupDepth]judge.Group // the host's first; the name of one that is not open is empty
	closed []judge.Group               // that hold something, none inside one that holds the same
	types  map[document.Type]*judge.Group
}

func newGroups(ofType map[document.Type]int) groups {
	g := groups{types: map[document.Type]*judge.Group{}}
	for kind, documents := range ofType {
		g.types[kind] = &judge.Group{Name: string(kind), Documents: documents}
	}
	return g
}

// count counts documents in the folder of a URL that the index holds, or may hold: the
// one of the URL, and others that stay as they are.
func (g *groups) count(url string, documents int) {
	end := 0
	for depth := range g.open {
		at := &g.open[depth]
		if at.Name == "" || !strings.HasPrefix(url, at.Name) {
			g.close(depth)
			if end = folderEnd(url, end); end == 0 {
				return
			}
			at.Name = url[:end]
		}
		end = len(at.Name)
		at.Documents += documents
	}
}

// judged counts what was judged of the document whose URL came last.
func (g *groups) judged(f *judge.Facts, c *document.Change) {
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
func (g *groups) close(from int) {
	for depth := groupDepth; depth >= from; depth-- {
		if at := g.open[depth]; at.Emptied() || at.Sick() {
			g.keep(at)
		}
		g.open[depth] = judge.Group{}
	}
}

// keep takes a group in, in place of those inside it that hold no more than it does.
func (g *groups) keep(group judge.Group) {
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

// conclude closes all groups.
func (g *groups) conclude() {
	g.close(0)
	slices.SortFunc(g.closed, func(a, b judge.Group) int { return strings.Compare(a.Name, b.Name) })
}

// of returns the groups of a document that hold something, the widest first.
func (g *groups) of(url string, kind document.Type) (of []judge.Group) {
	for depth, end := 0, folderEnd(url, 0); depth <= groupDepth && end > 0 && len(g.closed) > 0; depth++ {
		at, found := slices.BinarySearchFunc(g.closed, url[:end], func(in judge.Group, name string) int { return strings.Compare(in.Name, name) })
		if found {
			of = append(of, g.closed[at])
		}
		end = folderEnd(url, end)
	}
	if ofType := g.types[kind]; ofType != nil {
		of = append(of, *ofType)
	}
	return of
}

// folderEnd returns where the next folder of a URL's path ends, with its slash, behind
// the one that ends at end: the host, where end is 0. It is 0 when there is none.
func folderEnd(url string, end int) int {
	if end == 0 {
		end = len(weburl.Origin(url))
	}
	slash := strings.IndexByte(url[end:], '/')
	if slash < 0 || strings.IndexByte(url[end:end+slash], '?') >= 0 {
		return 0
	}
	return end + slash + 1
}

// deepestFolder returns where the innermost folder of a URL ends that is judged as a group.
func deepestFolder(url string) (end int) {
	for range groupDepth + 1 {
		next := folderEnd(url, end)
		if next == 0 {
			break
		}
		end = next
	}
	return end
}

// turnings counts what changed pages turn to: exactly, on disk.
type turnings struct {
	sorted *spool.Sorter            // by what they turn to and URL
	mass   map[string]judge.Turning // those that are no coincidence: a few, each being a fifth
}

// add takes in a page that turns to something that others may turn to as well.
func (t *turnings) add(to, url string) error { return t.sorted.Add(groupKey(to, url), 0) }

// first returns the first of what a page turns to that a mass of pages does.
func (t *turnings) first(turned []string) judge.Turning {
	for _, to := range turned {
		if mass, found := t.mass[to]; found {
			return mass
		}
	}
	return judge.Turning{}
}

// conclude finds what a mass of all changed pages turns to.
func (t *turnings) conclude(changed int) {
	t.mass = map[string]judge.Turning{}
	for to, urls := range grouped(t.sorted) {
		turning := judge.Turning{To: to}
		for url := range urls {
			turning.First = cmp.Or(turning.First, url)
			turning.Pages++
		}
		if turning.Mass(changed) {
			t.mass[to] = turning
		}
	}
}
