package search

import (
	"math"
	"slices"
)

// Ranking is BM25 (Robertson and Zaragoza, 2009) over all words of a document, and once
// more over its title.
const (
	saturation  = 1.2 // k1
	lengthShare = 0.75
	titleWeight = 0.6
	allInTitle  = 3 // what each word counts for besides where a title has all of them
)

// What a word counts for that is near to the one typed.
const (
	oneEdit  = 0.7
	twoEdits = 0.4
	begun    = 0.5 // it begins with the one typed
)

// part returns what a word counts for that stands so many times in a document's field.
func (m measure) part(doc uint32, times uint16) float32 {
	if times == 0 {
		return 0
	}
	n := float32(times)
	return n * (saturation + 1) / (n + saturation*(1-lengthShare+lengthShare*m.length[doc]/m.mean))
}

// A tally adds up what places count for.
type tally struct {
	ranked
	all, exact, last []uint8 // by document: how many places it fills, as typed, and which was the last
	title            []uint8 // how many its title fills
}

// score adds up what the places count for, and tells whether a document has all words as
// they were typed.
func (s *scan) score() (r ranked, whole bool) {
	size := s.view.size
	t := &tally{ranked: ranked{score: make([]float32, size)}, all: make([]uint8, size), exact: make([]uint8, size), last: make([]uint8, size), title: make([]uint8, size)}
	weights := s.weights()
	for _, language := range s.langs {
		places, start := s.places[language], len(t.docs)
		stops := slices.DeleteFunc(slices.Clone(places), func(p filled) bool { return !p.stop })
		words := slices.DeleteFunc(slices.Clone(places), func(p filled) bool { return p.stop })
		if len(words) == 0 {
			words, stops = stops, nil
		}
		sum := float32(0)
		for i, p := range words {
			t.add(p, weights[p.key], uint8(i+1)) //nolint:gosec // maxQueryWords at most
			sum += weights[p.key]
		}
		for _, p := range stops {
			for _, m := range p.exact {
				if t.all[m.doc] > 0 {
					t.score[m.doc] += weights[p.key] * m.part
				}
			}
		}
		t.titles(start, float32(len(words)), sum, s.view.title.length)
		whole = t.choose(start, uint8(len(words)), s.query.All) || whole //nolint:gosec // maxQueryWords at most
	}
	return t.ranked, whole
}

// add adds a place, which is one of its language's from 1 on. A document that has the word
// as typed does not get more for near ones.
func (t *tally) add(p filled, weight float32, place uint8) {
	fill := func(m match) {
		if t.all[m.doc] == 0 {
			t.docs = append(t.docs, m.doc)
		}
		t.all[m.doc]++
		t.last[m.doc] = place
		t.score[m.doc] += weight * m.part
		if m.title {
			t.title[m.doc]++
		}
	}
	for _, m := range p.exact {
		fill(m)
		t.exact[m.doc]++
	}
	for _, m := range p.near {
		if t.last[m.doc] != place {
			fill(m)
		}
	}
}

// titles adds what a document gets whose title has all words of a language's places, the
// more of its title they are.
func (t *tally) titles(start int, places, weight float32, length []float32) {
	for _, doc := range t.docs[start:] {
		if t.title[doc] == uint8(places) {
			t.score[doc] += allInTitle * weight * (1 + places/max(1, length[doc]))
		}
	}
}

// choose keeps those of a language's documents, which begin at start, that fill a place,
// or all where all are needed, and reports whether one fills all as typed.
func (t *tally) choose(start int, places uint8, all bool) (whole bool) {
	kept := t.docs[:start]
	for _, doc := range t.docs[start:] {
		if all && t.all[doc] < places {
			continue
		}
		kept = append(kept, doc)
		if t.exact[doc] == places || !all && t.exact[doc] > 0 {
			t.typed++
		}
		whole = whole || t.exact[doc] == places
	}
	t.docs = kept
	return whole
}

// weights returns what each word of the query counts for: the rarer, the more. A stop word
// beside others stands in every document of its language, which makes it no rare word of
// another.
func (s *scan) weights() map[int]float32 {
	have := map[int]int{}
	for language, places := range s.places {
		beside := slices.ContainsFunc(places, func(p filled) bool { return !p.stop })
		for _, p := range places {
			have[p.key] += max(len(p.exact), len(p.near))
			if p.stop && beside {
				have[^p.key] += s.view.langs[language]
			}
		}
	}
	weights := map[int]float32{}
	for key, n := range have {
		n := float64(min(n, len(s.view.docs)))
		weights[key] = float32(math.Log(1 + (float64(len(s.view.docs))-n+0.5)/(n+0.5)))
	}
	return weights
}
