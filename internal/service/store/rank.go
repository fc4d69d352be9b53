package store

import (
	"math"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/ext/fts5"
)

// titleWeight is the extra weight of a word in the title, in addition to its weight in the text.
const titleWeight = 0.6

// rank is the SQL function score. It scores a document by the weight of each phrase of the query, the
// phrase's frequency, and the lengths of the title and of the document.
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
		places, err := of.PhraseIter(phrase) // other calls corrupt SQLite's stack (go-sqlite3 0.37)
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
