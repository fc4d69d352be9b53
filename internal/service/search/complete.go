package search

import (
	"context"
	"slices"
	"strings"
)

// Completion is what begins with the last word of a text.
type Completion struct {
	Result
	Texts []string // the text with its last word completed, most frequent first
	Count int      // how many completions there are
}

// Complete returns completions of the query's text, texts at most, and the documents
// that have all its words, the last one completed.
func (x *Index) Complete(ctx context.Context, q Query, texts int) (c Completion, err error) {
	v, err := x.view()
	if err != nil {
		return c, err
	}
	defer x.release(v)
	q.All, q.begin = true, true
	c.Result, err = x.search(ctx, v, q)
	typed := parse(q.Text).words
	if err != nil || len(typed) == 0 {
		return c, err
	}
	last := len(typed) - 1
	ends, count, err := ends(v, typed[last], texts)
	if c.Fixed != "" {
		typed = strings.Fields(c.Fixed)
	}
	for _, end := range ends {
		c.Texts = append(c.Texts, strings.Join(append(typed[:last:last], end), " "))
	}
	c.Count = count
	return c, err
}

// ends returns the words that a word begins, those of most documents first, and how many
// there are.
func ends(v *view, begin string, size int) (all []string, total int, err error) {
	var found []near
	for _, language := range v.languages {
		words, count, err := v.beginning(language, begin, max(maxEnds, size))
		if err != nil {
			return nil, 0, err
		}
		total += count
		for _, n := range words {
			n.docs, err = v.have(fieldWords+language, n.word)
			if err != nil {
				return nil, 0, err
			}
			if n.docs == 0 {
				total--
				continue
			}
			found = append(found, n)
		}
	}
	slices.SortFunc(found, near.compare)
	for _, word := range spelled(found) {
		if len(all) < size && !slices.Contains(all, word) {
			all = append(all, word)
		}
	}
	return all, total, nil
}
