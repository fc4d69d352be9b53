package tally

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/judge"
	"sitesync/internal/weburl"
)

// placeDepth is the number of levels of folders that are counted as places.
const placeDepth = 3

// Places counts the documents of each place: a host, a folder up to placeDepth, or a content type of a host.
// It also counts those that are missing or changed. URLs must come in order, so only one folder of each depth
// is open for more URLs. Of the closed places, only hosts and ill places (over half missing or changed) are
// kept. An ill folder has at least 20 documents, so the kept places take some 10 bytes for each URL.
type Places struct {
	open  [1 + placeDepth]judge.Place // by depth, the host first; Name is empty if the place is not open
	ill   []judge.Place               // closed places only; a wider place replaces the places that it covers
	hosts map[string]*judge.Place
	types map[typeOf]*judge.Place
}

type typeOf struct {
	origin string
	kind   document.Type
}

// NewPlaces returns the places of an index. ofType has the number of documents by origin and type.
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

// Count adds a number of documents to the host and to each folder that contains url. asked is the number of
// these documents that were requested.
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

// Judged counts a result for the document last added by Count. sampled: the document is in a random sample.
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
		at.Name = strings.Clone(at.Name) // the clone frees the memory of the rest of the URL
		if at.Host {
			host := at
			p.hosts[strings.TrimSuffix(at.Name, "/")] = &host
		}
		if !at.Ill() {
			continue
		}
		// the wider place replaces an ill place inside it, if the wider place holds back the same changes
		inside := len(p.ill)
		for inside > 0 && strings.HasPrefix(p.ill[inside-1].Name, at.Name) {
			inside--
		}
		left := slices.DeleteFunc(p.ill[inside:], func(in judge.Place) bool { return at.Covers(&in) })
		p.ill = append(p.ill[:inside+len(left)], at)
	}
}

// Conclude closes all places. If some requested pages of a host were not modified, it drops the samples of
// the host's content types. These samples are incomplete, because Count does not know the pages' types.
func (p *Places) Conclude() {
	p.close(0)
	for of, at := range p.types {
		if host := p.hosts[of.origin]; host != nil && host.Passed > 0 {
			at.Sample = 0
		}
	}
	slices.SortFunc(p.ill, func(a, b judge.Place) int { return strings.Compare(a.Name, b.Name) })
}

// Host returns the place of the whole host, by its origin. It is empty if the host has no documents.
func (p *Places) Host(origin string) *judge.Place { return cmp.Or(p.hosts[origin], &judge.Place{}) }

// Of returns the ill places that contain a document, the widest first.
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

// DeepestFolder returns the length of the part of url up to the deepest folder that is counted as a place.
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
