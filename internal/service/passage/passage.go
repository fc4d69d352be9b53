package passage

import (
	"cmp"
	"slices"
)

const (
	longest  = 400 // bytes of one passage
	share    = 200 // bytes of the whole for each passage in it
	enough   = 0.5 // of the best one's score that a further one needs
	sameness = 0.8 // of two passages' words that may be the same
)

// Doc is a document that passages may be taken from.
type Doc struct{ Title, Text string }

// Passage is a part of a document's text.
type Passage struct {
	Doc  int // index of its document
	Text string
}

// Best returns the passages of the documents, best document first, that have most to
// say on the question, in reading order and bytes long at most; none when no
// document speaks of it.
func Best(question string, docs []Doc, bytes int) []Passage {
	terms := termsOf(question)
	all := candidates(terms, docs, min(bytes, longest))
	score(all, len(terms))
	chosen := choose(all, bytes)
	slices.SortFunc(chosen, func(a, b candidate) int { return cmp.Or(a.doc-b.doc, a.at-b.at) })
	var best []Passage
	for _, c := range chosen {
		best = append(best, Passage{c.doc, c.text})
	}
	return best
}

// choose takes the candidates by score while they fit, those aside that add little.
func choose(all []candidate, bytes int) (chosen []candidate) {
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	for _, c := range all {
		if c.score == 0 || c.score < enough*all[0].score || len(chosen) == max(1, bytes/share) {
			break
		}
		if len(c.text)+1 > bytes || slices.ContainsFunc(chosen, c.resembles) {
			continue
		}
		chosen = append(chosen, c)
		bytes -= len(c.text) + 1
	}
	return chosen
}

// resembles reports whether two passages have most of their words in common.
func (c candidate) resembles(other candidate) bool {
	both := 0
	for _, word := range c.words {
		if slices.Contains(other.words, word) {
			both++
		}
	}
	return float64(both) >= sameness*float64(max(len(c.words), len(other.words)))
}
