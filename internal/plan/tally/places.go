package tally

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

// placeDepth is the depth of the deepest folders that are judged as places.
const placeDepth = 3

// Places counts what the documents of each host, folder (up to placeDepth) and content type showed. URLs come
// in order, so only one place of each depth is open at a time. Of closed places it keeps hosts and ill
// places. Ill places have at least 20 documents, so this takes some 10 bytes for each URL.
type Places struct {
	open  [1 + placeDepth]judge.Place // by depth, the host first; Name is empty if the place is not open
	ill   []judge.Place               // without places inside another ill place that holds the same changes
	hosts map[string]*judge.Place     // by origin
	types map[typeOf]*judge.Place
}

type typeOf struct {
	origin string
	kind   document.Type
}

// NewPlaces returns the places of an index; ofType counts its documents by origin and type.
func NewPlaces(ofType map[string]map[document.Type]int) Places {
	p := Places{hosts: map[string]*judge.Place{}, types: map[typeOf]*judge.Place{}}
	for origin, types := range ofType {
		for kind, documents := range types {
			name := string(kind) + " of " + origin + "/"
			p.types[typeOf{origin, kind}] = &judge.Place{Name: name, Documents: documents}
		}
	}
	return p
}

// Count adds documents to the places of a URL; asked of them were requested.
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

// Judged counts what the last counted document showed; sampled says that it belongs to the sample.
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

func (p *Places) close(from int) {
	for depth := placeDepth; depth >= from; depth-- {
		at := p.open[depth]
		p.open[depth] = judge.Place{}
		if !at.Host && !at.Ill() {
			continue
		}
		at.Name = strings.Clone(at.Name) // not to keep the whole URL in memory
		if at.Host {
			host := at
			p.hosts[strings.TrimSuffix(at.Name, "/")] = &host
		}
		if !at.Ill() {
			continue
		}
		// the place replaces ill places inside it that hold no more than it does
		inside := len(p.ill)
		for inside > 0 && strings.HasPrefix(p.ill[inside-1].Name, at.Name) {
			inside--
		}
		left := slices.DeleteFunc(p.ill[inside:], func(in judge.Place) bool { return at.Covers(&in) })
		p.ill = append(p.ill[:inside+len(left)], at)
	}
}

// Conclude closes all places. The sample of a type is unknown if some pages of the host were requested and
// not modified, because their types were not counted.
func (p *Places) Conclude() {
	p.close(0)
	for of, at := range p.types {
		if host := p.hosts[of.origin]; host != nil && host.Passed > 0 {
			at.Sample = 0
		}
	}
	slices.SortFunc(p.ill, func(a, b judge.Place) int { return strings.Compare(a.Name, b.Name) })
}

// Host returns the place of a whole host by its origin; an empty place if it has no documents.
func (p *Places) Host(origin string) *judge.Place { return cmp.Or(p.hosts[origin], &judge.Place{}) }

// Of returns the ill places of a document, the widest first.
func (p *Places) Of(url string, kind document.Type) (of []judge.Place) {
	for depth, end := 0, weburl.FolderEnd(url, 0); depth <= placeDepth && end > 0 && len(p.ill) > 0; depth++ {
		byName := func(in judge.Place, name string) int { return strings.Compare(in.Name, name) }
		at, found := slices.BinarySearchFunc(p.ill, url[:end], byName)
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

// DeepestFolder returns the end of the deepest folder in a URL that is judged as a place.
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
