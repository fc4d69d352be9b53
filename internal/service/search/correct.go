package search

import (
	"slices"
	"strings"
)

// correct fills the clauses of words that no document has with words that are near to them,
// and the last with those that begin with it. It returns the text with the nearest in place
// of each.
func (s *scan) correct() (string, error) {
	there := map[int]bool{} // by the first word of clauses
	last := 0
	for _, b := range s.branches {
		for _, c := range b.clauses {
			within, err := s.within(c.matches)
			if err != nil {
				return "", err
			}
			there[c.first] = there[c.first] || within || c.stop
			last = max(last, c.first)
		}
	}
	nearest := map[int]near{}
	for _, b := range s.branches {
		for i := range b.clauses {
			c := &b.clauses[i]
			if there[c.first] || len(c.phrases) > 1 {
				continue
			}
			found, err := s.fillNear(b, c, c.first == last)
			if err != nil {
				return "", err
			}
			if old, known := nearest[c.first]; found.word != "" && (!known || found.compare(old) < 0) {
				nearest[c.first] = found
			}
		}
	}
	if len(nearest) == 0 {
		return "", nil
	}
	fixed := slices.Clone(s.parsed.words)
	for word, n := range nearest {
		fixed[word] = n.word
	}
	return strings.Join(fixed, " "), nil
}

// within reports whether one of the documents is within the query's filters.
func (s *scan) within(found []match) (bool, error) {
	docs := make([]uint32, len(found))
	for i, m := range found {
		docs[i] = m.doc
	}
	docs, err := s.view.narrow(s.query, docs)
	return len(docs) > 0, err
}

// fillNear fills a clause with near words, and returns the nearest.
func (s *scan) fillNear(b *branch, c *clause, last bool) (near, error) {
	all, err := s.view.near(b.language, c.word)
	if err == nil && last && !s.query.begin && len(c.word) > 2 {
		var ends []near
		ends, _, err = s.view.beginning(b.language, c.word, maxEnds)
		all = append(all, ends...)
	}
	if err != nil {
		return near{}, err
	}
	found, err := s.count(b, s.terms(b, spelled(all)), false)
	if err != nil {
		return near{}, err
	}
	for i := range found {
		found[i].part *= nearShare
	}
	c.matches = best([][]match{c.matches, found})
	for _, n := range all {
		if have, err := s.view.have(fieldWords+b.language, n.word); have > 0 || err != nil {
			return n, err
		}
	}
	return near{}, nil
}

// terms returns what words are found by, for marking too.
func (s *scan) terms(b *branch, words []string) (all []string) {
	for _, word := range words {
		terms, _ := s.index.terms(b.language, word)
		for _, term := range terms {
			b.terms[term] = true
		}
		all = append(all, terms...)
	}
	return all
}
