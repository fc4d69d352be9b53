package search

import (
	"maps"
	"slices"
	"strings"
)

// alike is to how many words a query may have for those that documents have to be taken
// for mistyped: all but one of more words being there tells little.
const alike = 3

// correct fills places with words that are near to the one typed, and the last with those
// that begin with it: the places of words that no document has, or of all where a short
// query finds no document that has all its words. It returns the text with the former
// replaced by the nearest.
func (s *scan) correct() (string, error) {
	there := map[int]bool{}
	last := 0
	for _, places := range s.places {
		for _, p := range places {
			there[p.at] = there[p.at] || len(p.exact) > 0 || p.stop
			last = max(last, p.at)
		}
	}
	unknown := slices.ContainsFunc(slices.Collect(maps.Keys(there)), func(at int) bool { return !there[at] })
	if !unknown && (len(there) > alike || len(there) < 2) {
		return "", nil
	}
	nearest := map[int]near{}
	for _, language := range s.langs {
		for i := range s.places[language] {
			p := &s.places[language][i]
			if p.stop || unknown && there[p.at] || len(p.phrases) > 1 {
				continue
			}
			first, err := s.nearTo(language, p, p.at == last)
			if err != nil {
				return "", err
			}
			if old, found := nearest[p.at]; first.word != "" && !there[p.at] && (!found || first.compare(old) < 0) {
				nearest[p.at] = first
			}
		}
	}
	if len(nearest) == 0 {
		return "", nil
	}
	fixed := slices.Clone(s.asked.words)
	for at, n := range nearest {
		fixed[at] = n.word
	}
	return strings.Join(fixed, " "), nil
}

// nearTo fills a place with near words, and returns the nearest.
func (s *scan) nearTo(language string, p *filled, last bool) (near, error) {
	v := s.index.words.of(language)
	all := v.near(p.word, s.query.begin && last)
	levels := map[float32][]string{}
	for _, n := range all {
		weight := float32(oneEdit)
		if n.edits > 1 {
			weight = twoEdits
		}
		levels[weight] = append(levels[weight], n.word)
	}
	all = all[:len(all):len(all)]
	if last && !s.query.begin && len(p.word) > 2 {
		ends, _ := v.beginning(p.word, maxEnds)
		for _, end := range ends {
			levels[begun] = append(levels[begun], end.word)
		}
		all = append(all, ends...)
	}
	var lists [][]match
	for weight, forms := range levels {
		some, err := s.count(language, s.joined(language, forms), false)
		if err != nil {
			return near{}, err
		}
		for i := range some {
			some[i].part *= weight
		}
		lists = append(lists, some)
	}
	p.near = best(lists)
	for _, n := range all {
		if have, err := s.view.have(fieldText+language, n.word, nil); have > 0 || err != nil {
			return n, err
		}
	}
	return near{}, nil
}

// joined returns the words with all their forms.
func (s *scan) joined(language string, some []string) []string {
	all := slices.Clone(some)
	for _, word := range some {
		terms, _ := s.index.terms(language, word)
		for _, term := range terms {
			s.terms[language][term] = true
		}
		all = append(all, s.index.words.of(language).joined(terms)...)
	}
	return all
}
