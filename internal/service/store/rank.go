package store

import (
	"math"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// titleWeight is what a word in a title counts for, beside what it does as a word of the text.
const titleWeight = 0.6

// rank is the function of a statement that scores a document: by what each phrase of its query
// counts for, how often they stand there, and how many words its title and the whole have.
func rank(of fts5.Context, c sqlite3.Context, arg ...sqlite3.Value) {
	weights, isWeights := arg[0].Pointer().([]float64)
	if !isWeights {
		c.ResultError(sqlite3.MISUSE)
		return
	}
	inTitle, inAll := math.Sqrt(max(1, arg[1].Float())), math.Sqrt(max(1, arg[2].Float()))
	score := 0.0
	for phrase, weight := range weights {
		if weight == 0 {
			continue
		}
		places, err := of.PhraseIter(phrase) // other calls leave the stack of SQLite where it must not be (0.37)
		if err != nil {
			c.ResultError(err)
			return
		}
		title, all := 0.0, 0.0
		for column := range places {
			if all++; column == 0 {
				title++
			}
		}
		score += weight * (titleWeight*math.Sqrt(title)/inTitle + math.Sqrt(all)/inAll)
	}
	c.ResultFloat(score)
}
