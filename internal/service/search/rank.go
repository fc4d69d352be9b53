package search

import (
	"cmp"
	"math"
	"slices"
)

// titleWeight is what a word in a title counts for, beside what it does as a word of the text.
const titleWeight = 0.6

// nearShare is what a word counts for that is near to the one typed, or begins with it.
const nearShare = 0.5

// A tally is what a document has of the clauses of its language.
type tally struct {
	score float32
	all   uint8 // clauses that it has
	exact uint8 // as typed
	last  uint8 // clause that it has, from 1 on
}

// byScore compares documents by their scores, best first.
func (s *scan) byScore(a, b uint32) int {
	return cmp.Compare(s.tallies[b].score, s.tallies[a].score)
}

// score finds the documents within the query's filters that have clauses, and what those
// count for, and reports whether one has all of them as they were typed. Stop words
// count where there are no others.
func (s *scan) score() (whole bool, err error) {
	s.docs, s.typed = nil, 0
	clear(s.tallies)
	weights := s.weights()
	for _, b := range s.branches {
		start, wanted := len(s.docs), uint8(0)
		stops := !slices.ContainsFunc(b.clauses, func(c clause) bool { return !c.stop })
		for _, c := range b.clauses {
			if c.stop == stops {
				wanted++
				s.add(c, weights[c.key], wanted)
			}
		}
		found, err := s.view.narrow(s.query, s.docs[start:])
		if err != nil {
			return false, err
		}
		s.docs = s.docs[:start]
		for _, doc := range found {
			t := &s.tallies[doc]
			if s.query.All && t.all < wanted {
				continue
			}
			if t.exact == wanted || !s.query.All && t.exact > 0 {
				s.typed++
			}
			whole = whole || t.exact == wanted
			s.docs = append(s.docs, doc)
		}
	}
	return whole, nil
}

// add adds a clause, which is one of its language's from 1 on. A document that has the word
// as typed does not get more for near ones.
func (s *scan) add(c clause, weight float32, number uint8) {
	fill := func(m match) *tally {
		t := &s.tallies[m.doc]
		if t.all == 0 {
			s.docs = append(s.docs, m.doc)
		}
		t.all, t.last = t.all+1, number
		t.score += weight * m.part
		return t
	}
	for _, m := range c.exact {
		fill(m).exact++
	}
	for _, m := range c.near {
		if s.tallies[m.doc].last != number {
			fill(m)
		}
	}
}

// weights returns what each clause counts for: the rarer, the more.
func (s *scan) weights() map[int]float32 {
	weights, have := map[int]float32{}, map[int]int{}
	for _, b := range s.branches {
		for _, c := range b.clauses {
			have[c.key] += max(len(c.exact), len(c.near))
		}
	}
	for key, n := range have {
		weights[key] = float32(math.Log(1 + float64(len(s.view.docs))/float64(n+1)))
	}
	return weights
}
