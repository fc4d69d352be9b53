package passage

import (
	"cmp"
	"math"
	"slices"
	"strings"
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
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	var chosen []candidate
	for _, c := range all { // by score while they fit, those aside that add little
		if c.score == 0 || c.score < enough*all[0].score || len(chosen) == max(1, bytes/share) {
			break
		}
		if len(c.text)+1 > bytes || slices.ContainsFunc(chosen, c.resembles) {
			continue
		}
		chosen = append(chosen, c)
		bytes -= len(c.text) + 1
	}
	slices.SortFunc(chosen, func(a, b candidate) int { return cmp.Or(a.doc-b.doc, a.at-b.at) })
	var best []Passage
	for _, c := range chosen {
		best = append(best, Passage{c.doc, c.text})
	}
	return best
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

const (
	partly    = 0.6  // what a word counts that shares most of its letters with one of the question
	above     = 0.5  // what a word of the title or the heading counts for what stands below
	heading   = 0.1  // what a heading or a question counts, beside what answers it
	lead      = 0.2  // what a document's first passage counts more
	step      = 0.05 // what each further document counts less
	shortLine = 6    // words that a heading has at most
)

// candidate is a passage before it is chosen.
type candidate struct {
	doc, at int // which document, and where in it
	text    string
	words   []string
	hits    []float64 // 0 to 1 for each term of the question
	heads   bool      // it is a heading or a question
	score   float64
}

// candidates returns the passages of all documents, of limit bytes each at most.
func candidates(terms []string, docs []Doc, limit int) (all []candidate) {
	for i, doc := range docs {
		title := hits(terms, words(doc.Title))
		head := title
		for at, text := range sentences(doc.Text, limit) {
			c := candidate{doc: i, at: at, text: text, words: words(text)}
			c.hits = hits(terms, c.words)
			c.heads = strings.HasSuffix(text, "?") || len(c.words) <= shortLine && !strings.ContainsAny(text[len(text)-1:], ".!") // it only names what follows
			if c.heads {
				head = c.hits
			} else {
				for i, own := range c.hits { // title and heading speak for what stands below
					c.hits[i] = max(own, above*title[i], above*head[i])
				}
			}
			all = append(all, c)
		}
	}
	return all
}

// hits returns how well each term is met by some word.
func hits(terms, words []string) []float64 {
	met := make([]float64, len(terms))
	for i, term := range terms {
		for _, word := range words {
			met[i] = max(met[i], likeness(term, word))
		}
	}
	return met
}

// score rates all candidates: rarer terms count more and long passages a little less,
// as with BM25.
func score(all []candidate, terms int) {
	counts, length := make([]float64, terms), 0
	for _, c := range all {
		length += len(c.words)
		for i, hit := range c.hits {
			if hit > 0 {
				counts[i]++
			}
		}
	}
	number := float64(len(all))
	for n := range all {
		c := &all[n]
		for i, hit := range c.hits {
			c.score += hit * math.Log1p((number-counts[i]+0.5)/(counts[i]+0.5))
		}
		c.score *= (1 + lead/float64(1+c.at)) / (1 + step*float64(c.doc))
		c.score /= 0.75 + 0.25*float64(len(c.words))*number/float64(max(length, 1))
		if c.heads {
			c.score *= heading
		}
	}
}
