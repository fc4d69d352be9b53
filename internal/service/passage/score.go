package passage

import (
	"math"
	"strings"
)

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
			c.heads = isHeading(text, len(c.words))
			if c.heads {
				head = c.hits
			} else {
				c.hits = raised(c.hits, title, head)
			}
			all = append(all, c)
		}
	}
	return all
}

// isHeading reports whether a passage only names what follows it.
func isHeading(text string, words int) bool {
	return strings.HasSuffix(text, "?") || words <= shortLine && !strings.ContainsAny(text[len(text)-1:], ".!")
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

// raised returns hits with what title and heading add to them.
func raised(own, title, head []float64) []float64 {
	all := make([]float64, len(own))
	for i := range own {
		all[i] = max(own[i], above*title[i], above*head[i])
	}
	return all
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
