package search

import (
	"maps"
	"slices"
	"strings"
)

// alike is to how many words a query may have for those that documents have to be taken
// for mistyped: all but one of more words being there tells little.
const alike = 3

// correct fills clauses with words that are near to the one typed, and the last with those
// that begin with it: the clauses of words that no document has, or all of them where a short
// query finds no document that has all its words. It returns the text with the former
// replaced by the nearest.
func (s *scan) correct() (string, error) {
	there := map[int]bool{} // by the first word of clauses
	last := 0
	for _, b := range s.branches {
		for _, c := range b.clauses {
			within, err := s.within(c.exact)
			if err != nil {
				return "", err
			}
			there[c.first] = there[c.first] || within || c.stop
			last = max(last, c.first)
		}
	}
	missing := slices.Contains(slices.Collect(maps.Values(there)), false)
	if !missing && (len(there) > alike || len(there) < 2) {
		return "", nil
	}
	nearest := map[int]near{}
	for _, b := range s.branches {
		for i := range b.clauses {
			c := &b.clauses[i]
			if c.stop || missing && there[c.first] || len(c.phrases) > 1 {
				continue
			}
			found, err := s.fillNear(b, c, c.first == last)
			if err != nil {
				return "", err
			}
			if old, known := nearest[c.first]; found.word != "" && !there[c.first] && (!known || found.compare(old) < 0) {
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
	first := min(1000, len(found)) // they mostly tell
	for _, some := range [][]match{found[:first], found[first:]} {
		docs := make([]uint32, len(some))
		for i, m := range some {
			docs[i] = m.doc
		}
		docs, err := s.view.narrow(s.query, docs)
		if len(docs) > 0 || err != nil {
			return true, err
		}
	}
	return false, nil
}

// fillNear fills a clause with near words, and returns the nearest.
func (s *scan) fillNear(b *branch, c *clause, last bool) (near, error) {
	all := b.vocabulary.near(c.word, s.query.begin && last)
	two := slices.IndexFunc(append(all, near{edits: 2}), func(n near) bool { return n.edits > 1 })
	var ends []near
	if last && !s.query.begin && len(c.word) > 2 {
		ends, _ = b.vocabulary.beginning(c.word, maxEnds)
	}
	var lists [][]match
	for _, group := range []struct {
		weight float32
		words  []near
	}{{oneEdit, all[:two]}, {twoEdits, all[two:]}, {begun, ends}} {
		found, err := s.count(b, s.forms(b, spelled(group.words)), last && s.query.begin && !s.wide)
		if err != nil {
			return near{}, err
		}
		for i := range found {
			found[i].part *= group.weight
		}
		lists = append(lists, found)
	}
	c.near = best(lists)
	for _, n := range slices.Concat(all, ends) {
		if have, err := s.view.have(fieldText+b.language, n.word, nil); have > 0 || err != nil {
			return n, err
		}
	}
	return near{}, nil
}

// forms returns the words with all their forms.
func (s *scan) forms(b *branch, words []string) []string {
	all := slices.Clone(words)
	for _, word := range words {
		terms, _ := s.index.terms(b.language, word)
		for _, term := range terms {
			b.terms[term] = true
		}
		all = append(all, b.vocabulary.joined(terms...)...)
	}
	return all
}
