package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// A match is a document that has a clause.
type match struct {
	doc  uint32
	part float32 // of its score, to be multiplied by the clause's weight
}

// A scan is one search.
type scan struct {
	index    *Index
	ctx      context.Context
	view     *view
	query    Query
	parsed   parsed
	branches []*branch
	counts   []float32 // by document, of the words that are being counted; 0 between
	touched  []uint32

	docs    []uint32 // that are found, in no order
	tallies []tally  // by document
	typed   int      // docs that have words as typed
	fixed   string
}

// A branch is a scan of the documents in one language.
type branch struct {
	language string
	clauses  []clause
	terms    map[string]bool // that were looked for
}

// match finds the documents that match the query's text, within its filters.
func (x *Index) match(ctx context.Context, v *view, q Query) (*scan, error) {
	s := &scan{index: x, ctx: ctx, view: v, query: q, parsed: parse(q.Text)}
	s.counts, s.tallies = make([]float32, v.size), make([]tally, v.size)
	for _, language := range v.languages {
		s.branches = append(s.branches, &branch{language: language, terms: map[string]bool{}})
	}
	var err error
	if len(s.parsed.words) > 0 {
		err = s.matchWords()
	} else if strings.TrimSpace(q.Text) == Everything || len(s.parsed.without) > 0 {
		s.docs, err = v.narrow(q, slices.Clone(v.docs))
		s.typed = len(s.docs)
	}
	if err != nil {
		return nil, err
	}
	return s, s.checkText()
}

// matchWords finds the documents for the words alone.
func (s *scan) matchWords() error {
	for _, b := range s.branches {
		s.index.asking.Lock()
		b.clauses = s.query.clauses(s.index.asker, b.language, s.parsed.words)
		s.index.asking.Unlock()
		for i := range b.clauses {
			if err := s.fill(b, &b.clauses[i], s.query.begin && i == len(b.clauses)-1); err != nil {
				return err
			}
		}
	}
	whole, err := s.score()
	s.typed = len(s.docs)
	if whole || err != nil { // near words are for what is not there: so what has all as typed stands before others
		return err
	}
	fixed, err := s.correct()
	if err != nil {
		return err
	}
	_, err = s.score()
	if len(s.docs) > 0 {
		s.fixed = fixed
	}
	return err
}

// fill finds the documents that have one of a clause's phrases, and with begin those that
// have a word that begins with it.
func (s *scan) fill(b *branch, c *clause, begin bool) error {
	var all [][]match
	for _, phrase := range c.phrases {
		var have []match
		for n, term := range phrase {
			b.terms[term] = true
			found, err := s.count(b, []string{term}, c.stop)
			if err != nil {
				return err
			}
			if n > 0 {
				found = both(have, found)
			}
			have = found
		}
		all = append(all, have)
	}
	if begin {
		ends, _, err := s.view.beginning(b.language, c.word, maxEnds)
		if err != nil {
			return err
		}
		found, err := s.count(b, s.terms(b, spelled(ends)), false)
		if err != nil {
			return err
		}
		all = append(all, found)
	}
	c.matches = best(all)
	return nil
}

// both returns the documents of two lists, with the lesser part.
func both(a, b []match) []match {
	parts := map[uint32]float32{}
	for _, m := range a {
		parts[m.doc] = m.part
	}
	b = slices.DeleteFunc(b, func(m match) bool { _, there := parts[m.doc]; return !there })
	for i, m := range b {
		b[i].part = min(m.part, parts[m.doc])
	}
	return b
}

// best returns the documents of any list, with the greatest part.
func best(lists [][]match) []match {
	if len(lists) == 1 {
		return lists[0]
	}
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b match) int { return cmp.Or(cmp.Compare(a.doc, b.doc), cmp.Compare(b.part, a.part)) })
	return slices.CompactFunc(all, func(a, b match) bool { return a.doc == b.doc })
}

// count returns the documents that have any of the terms, which count as one, or, as for
// stop words, have one in their titles.
func (s *scan) count(b *branch, terms []string, titles bool) ([]match, error) {
	slices.Sort(terms)
	s.touched = s.touched[:0]
	add := func(doc uint32, part float32) {
		if s.counts[doc] == 0 {
			s.touched = append(s.touched, doc)
		}
		s.counts[doc] += part
	}
	for _, term := range slices.Compact(terms) {
		if s.ctx.Err() != nil {
			return nil, s.ctx.Err()
		}
		err := s.view.rows(fieldTitle+b.language, term, func(doc uint32, part float32) { add(doc, titleWeight*part) })
		if err == nil && !titles {
			err = s.view.rows(fieldText+b.language, term, add)
		}
		if err != nil {
			return nil, err
		}
	}
	all := make([]match, len(s.touched))
	for i, doc := range s.touched {
		all[i] = match{doc, s.counts[doc]}
		s.counts[doc] = 0
	}
	return all, nil
}
