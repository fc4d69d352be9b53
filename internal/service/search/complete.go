package search

import (
	"context"
	"strings"
)

// Completion is what begins with the last word of a text.
type Completion struct {
	Result
	Texts []string // the text with its last word completed, most frequent first
	Count int      // how many completions there are
}

// maxEnds is how many completions of a word documents are searched by.
const maxEnds = 20

// Complete returns completions of the query's text, texts at most, and the documents
// that have all its words, the last one completed.
func (x *Index) Complete(ctx context.Context, q Query, texts int) (Completion, error) {
	all := wordsOf(q.Text)
	if len(all) == 0 {
		return Completion{}, nil
	}
	before, last := all[:len(all)-1], all[len(all)-1]
	ends, count, err := x.completions(last, max(maxEnds, texts))
	if err != nil {
		return Completion{}, err
	}
	q.Text, q.All = strings.Join(before, " "), true
	c := Completion{Count: count}
	for _, end := range ends[:min(len(ends), texts)] {
		if q.Crawlers != nil { // the words are those of all crawlers
			found, err := x.Search(ctx, Query{Text: end, Crawlers: q.Crawlers})
			if err != nil {
				return c, err
			}
			if found.Total == 0 {
				c.Count--
				continue
			}
		}
		c.Texts = append(c.Texts, strings.Join(append(before[:len(before):len(before)], end), " "))
	}
	q.ends = append(ends[:min(len(ends), maxEnds)], last)
	c.Result, err = x.Search(ctx, q)
	return c, err
}
