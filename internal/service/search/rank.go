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
}

// byScore compares documents by their scores, best first.
func (s *scan) byScore(a, b uint32) int {
	return cmp.Compare(s.tallies[b].score, s.tallies[a].score)
}

// score finds the documents within the query's filters that have clauses, and what those
// count for, and reports whether one has all of them. Stop words count where there are no
// others.
func (s *scan) score() (whole bool, err error) {
	s.docs = nil
	clear(s.tallies)
	weights := s.weights()
	for _, b := range s.branches {
		start, wanted := len(s.docs), uint8(0)
		stops := !slices.ContainsFunc(b.clauses, func(c clause) bool { return !c.stop })
		for _, c := range b.clauses {
			if c.stop != stops {
				continue
			}
			wanted++
			for _, m := range c.matches {
				t := &s.tallies[m.doc]
				if t.all == 0 {
					s.docs = append(s.docs, m.doc)
				}
				t.all++
				t.score += weights[c.key] * m.part
			}
		}
		found, err := s.view.narrow(s.query, s.docs[start:])
		if err != nil {
			return false, err
		}
		s.docs = s.docs[:start]
		for _, doc := range found {
			all := s.tallies[doc].all == wanted
			if all || !s.query.All {
				s.docs = append(s.docs, doc)
			}
			whole = whole || all
		}
	}
	return whole, nil
}

// weights returns what each clause counts for: the rarer, the more.
func (s *scan) weights() map[int]float32 {
	weights, have := map[int]float32{}, map[int]int{}
	for _, b := range s.branches {
		for _, c := range b.clauses {
			have[c.key] += len(c.matches)
		}
	}
	for key, n := range have {
		weights[key] = float32(math.Log(1 + float64(len(s.view.docs))/float64(n+1)))
	}
	return weights
}
