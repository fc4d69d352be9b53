package tally

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

// Groups counts what the brakes measure of each host, each folder of it up to
// groupDepth, and each type. URLs come in order, so one group of each depth alone is
// open at a time, and of those that are over only what holds something is kept: that
// takes five documents or more, or a host, so at most some 10 bytes a URL.
type Groups struct {
	open   [1 + groupDepth]openGroup // the host's first; the name of one that is not open is empty
	closed []judge.Group             // that hold something, none inside one that holds the same
	types  map[document.Type]*openGroup
}

// openGroup is a group that is counted.
type openGroup struct {
	group   judge.Group
	figures judge.Figures
}

// judged counts what was judged of one document.
func (g *openGroup) judged(f *judge.Facts, c *document.Change, l judge.Limits) {
	if c != nil && c.State == document.Planned && (&judge.Due{Change: c, Born: f.Record.Born, Folds: f.Target.Folds}).Counts(l) {
		g.group.Deletes++
	}
	g.figures.Count(f)
}

// close returns the group with what its documents lost together.
func (g *openGroup) close() judge.Group {
	group := g.group
	group.Sickness = g.figures.Sickness()
	g.group = judge.Group{}
	g.figures.Reset()
	return group
}

// NewGroups returns groups of an index that holds so many documents of each type.
func NewGroups(ofType map[document.Type]int) Groups {
	g := Groups{types: map[document.Type]*openGroup{}}
	for kind, documents := range ofType {
		g.types[kind] = &openGroup{group: judge.Group{Name: string(kind), Documents: documents}}
	}
	return g
}

// Count counts documents in the folder of a URL that the index holds, or may hold: the
// one of the URL, and others that stay as they are.
func (g *Groups) Count(url string, documents int) {
	end := 0
	for depth := range g.open {
		at := &g.open[depth].group
		if at.Name == "" || !strings.HasPrefix(url, at.Name) {
			g.close(depth)
			end = weburl.FolderEnd(url, end)
			if end == 0 {
				return
			}
			at.Name, at.Host = url[:end], depth == 0
		}
		end = len(at.Name)
		at.Documents += documents
	}
}

// Judged counts what was judged of the document whose URL came last.
func (g *Groups) Judged(f *judge.Facts, c *document.Change, l judge.Limits) {
	for depth := range g.open {
		if g.open[depth].group.Name != "" {
			g.open[depth].judged(f, c, l)
		}
	}
	if ofType := g.types[f.Record.Type]; ofType != nil {
		ofType.judged(f, c, l)
	}
}

// close ends the open groups from a depth on, the innermost first.
func (g *Groups) close(from int) {
	for depth := groupDepth; depth >= from; depth-- {
		at := g.open[depth].close()
		if !at.Emptied() && !at.Sick() {
			continue
		}
		inside := len(g.closed) // it takes the place of those inside it that hold no more than it does
		for inside > 0 && strings.HasPrefix(g.closed[inside-1].Name, at.Name) {
			inside--
		}
		left := slices.DeleteFunc(g.closed[inside:], func(in judge.Group) bool {
			return (at.Emptied() || !in.Emptied()) && (at.Sick() || !in.Sick())
		})
		at.Name = strings.Clone(at.Name) // it is a part of a whole URL
		g.closed = append(g.closed[:inside+len(left)], at)
	}
}

// Conclude closes all groups.
func (g *Groups) Conclude() {
	g.close(0)
	for _, ofType := range g.types {
		ofType.group = ofType.close()
	}
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
		of = append(of, ofType.group)
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

// Turnings counts what changed pages turn to: exactly, on disk.
type Turnings struct {
	sorted *spool.Sorter   // by what they turn to and URL
	mass   []judge.Turning // those that are no coincidence: a few, each being a fifth or 1 % of a host
}

// NewTurnings returns turnings that are sorted in s.
func NewTurnings(s *spool.Scratch) Turnings { return Turnings{sorted: s.Sorter()} }

// Add takes in a page that turns to something that others may turn to as well.
func (t *Turnings) Add(to, url string) { t.sorted.Add(spool.GroupKey(to, url), 0) }

// First returns the first of the masses of pages that turn to what a page does, or to
// nearly the same text.
func (t *Turnings) First(turned []string) judge.Turning {
	for _, to := range turned {
		for _, mass := range t.mass {
			if mass.To == to || mass.Near(to) {
				return mass
			}
		}
	}
	return judge.Turning{}
}

// samples is how many pages of a mass are looked at for what they were alike before.
const samples = 20

// Conclude finds what a mass of all changed pages turns to. documents tells how many a
// URL's host has; saidThat, whether pages said nearly the same before: then nothing took
// their place.
func (t *Turnings) Conclude(changed int, documents func(url string) int, saidThat func(body judge.Body, urls []string) (bool, error)) error {
	for to, urls := range spool.Grouped(t.sorted) {
		turning := judge.Turning{To: to}
		var first []string
		for url := range urls {
			turning.Pages++
			if len(first) < samples {
				first = append(first, url)
			}
		}
		turning.First, turning.Documents = first[0], documents(first[0])
		if !turning.Mass(changed) {
			continue
		}
		if !turning.IsPage() {
			alike, err := saidThat(turning.Body(), first)
			if err != nil {
				return err
			}
			if alike {
				continue
			}
		}
		t.mass = append(t.mass, turning)
	}
	return nil
}

// keptTrips is how many reasons for holding something a run names one by one: those
// that hold most.
const keptTrips = 100

// Trips sums up what brakes hold, by reason.
type Trips map[tripKey]*document.Tripped

// tripKey is what the changes have in common that one reason holds. The release has
// the cause of a change where it matters.
type tripKey struct {
	brake   document.Brake
	group   string
	release document.Command
}

// Count counts one held change; the first names what there is to say of its reason.
func (t Trips) Count(held document.Tripped) {
	key := tripKey{held.Brake, held.Group, held.Release}
	if t[key] == nil {
		t[key] = &held
	}
	t[key].Held++
}

// Sums returns the reasons, those that hold most first. Beyond keptTrips one line for
// each brake stands for the others, two where only a part of them can be released.
func (t Trips) Sums() []document.Tripped {
	var all []document.Tripped
	for _, trip := range t {
		all = append(all, *trip)
	}
	slices.SortFunc(all, func(a, b document.Tripped) int {
		return cmp.Or(cmp.Compare(b.Held, a.Held), cmp.Compare(a.Brake, b.Brake), strings.Compare(a.Group, b.Group), cmp.Compare(a.Release, b.Release))
	})
	if len(all) <= keptTrips {
		return all
	}
	kept := all[:keptTrips:keptTrips]
	for _, trip := range all[keptTrips:] {
		release := document.Command("sitesync approve --all")
		if trip.Release == "" {
			release = ""
		}
		at := slices.IndexFunc(kept, func(k document.Tripped) bool {
			return k.Group == document.OtherGroups && k.Brake == trip.Brake && k.Release == release
		})
		if at < 0 {
			at = len(kept)
			kept = append(kept, document.Tripped{Brake: trip.Brake, Group: document.OtherGroups, Why: "more groups of this kind, with fewer changes each", Release: release})
		}
		kept[at].Held += trip.Held
	}
	return kept
}
