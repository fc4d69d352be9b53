package tally

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

// placeDepth is how many folders deep places are judged.
const placeDepth = 3

// Places counts what the documents of each host showed, of each folder up to placeDepth and of each
// content type. URLs come in order, so one place of each depth is open at a time. Of closed places it
// keeps hosts and ill ones, which have 20 documents or more: that takes some 10 bytes a URL.
type Places struct {
	open  [1 + placeDepth]judge.Place // the host's first; the name of one that is not open is empty
	ill   []judge.Place               // none inside one that holds the same
	hosts map[string]*judge.Place     // by origin
	types map[typeOf]*judge.Place
}

type typeOf struct {
	origin string
	kind   document.Type
}

// NewPlaces returns places of an index that holds so many documents of each type, by origin.
func NewPlaces(ofType map[string]map[document.Type]int) Places {
	p := Places{hosts: map[string]*judge.Place{}, types: map[typeOf]*judge.Place{}}
	for origin, types := range ofType {
		for kind, documents := range types {
			p.types[typeOf{origin, kind}] = &judge.Place{Name: string(kind) + " of " + origin + "/", Documents: documents}
		}
	}
	return p
}

// Count counts documents in the folder of a URL that the index holds, or may hold: the one
// of the URL, and others that stay as they are, of which so many were asked for.
func (p *Places) Count(url string, documents, asked int) {
	end := 0
	for depth := range p.open {
		at := &p.open[depth]
		if at.Name == "" || !strings.HasPrefix(url, at.Name) {
			p.close(depth)
			end = weburl.FolderEnd(url, end)
			if end == 0 {
				return
			}
			at.Name, at.Host = url[:end], depth == 0
		}
		end = len(at.Name)
		at.Documents += documents
		at.Sample, at.Passed = at.Sample+asked, at.Passed+asked
	}
}

// Judged counts what the document showed whose URL came last; sampled says that it was asked
// for although no trusted hint called it changed.
func (p *Places) Judged(url string, kind document.Type, shows judge.Astray, sampled bool) {
	for depth := range p.open {
		if p.open[depth].Name != "" {
			p.open[depth].Count(shows, sampled)
		}
	}
	if ofType := p.types[typeOf{weburl.Origin(url), kind}]; ofType != nil {
		ofType.Count(shows, sampled)
	}
}

// close ends the open places from a depth on, the innermost first.
func (p *Places) close(from int) {
	for depth := placeDepth; depth >= from; depth-- {
		at := p.open[depth]
		p.open[depth] = judge.Place{}
		if !at.Host && !at.Ill() {
			continue
		}
		at.Name = strings.Clone(at.Name) // it is a part of a whole URL
		if at.Host {
			host := at
			p.hosts[strings.TrimSuffix(at.Name, "/")] = &host
		}
		if !at.Ill() {
			continue
		}
		inside := len(p.ill) // it takes the place of those inside it that hold no more than it does
		for inside > 0 && strings.HasPrefix(p.ill[inside-1].Name, at.Name) {
			inside--
		}
		left := slices.DeleteFunc(p.ill[inside:], func(in judge.Place) bool { return at.Covers(&in) })
		p.ill = append(p.ill[:inside+len(left)], at)
	}
}

// Conclude closes all places. How many documents of a type were asked for is known only where
// none passed by with an answer of not modified.
func (p *Places) Conclude() {
	p.close(0)
	for of, at := range p.types {
		if host := p.hosts[of.origin]; host != nil && host.Passed > 0 {
			at.Sample = 0
		}
	}
	slices.SortFunc(p.ill, func(a, b judge.Place) int { return strings.Compare(a.Name, b.Name) })
}

// Host returns the place that a host is, by its origin; one without documents is well.
func (p *Places) Host(origin string) *judge.Place { return cmp.Or(p.hosts[origin], &judge.Place{}) }

// Of returns the places of a document that are ill, the widest first.
func (p *Places) Of(url string, kind document.Type) (of []judge.Place) {
	for depth, end := 0, weburl.FolderEnd(url, 0); depth <= placeDepth && end > 0 && len(p.ill) > 0; depth++ {
		at, found := slices.BinarySearchFunc(p.ill, url[:end], func(in judge.Place, name string) int { return strings.Compare(in.Name, name) })
		if found {
			of = append(of, p.ill[at])
		}
		end = weburl.FolderEnd(url, end)
	}
	if at := p.types[typeOf{weburl.Origin(url), kind}]; at != nil && at.Ill() {
		of = append(of, *at)
	}
	return of
}

// DeepestFolder returns where the innermost folder of a URL ends that is judged as a place.
func DeepestFolder(url string) (end int) {
	for range placeDepth + 1 {
		next := weburl.FolderEnd(url, end)
		if next == 0 {
			break
		}
		end = next
	}
	return end
}
