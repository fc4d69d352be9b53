package search

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"sitesync/internal/service/search/words"
)

// Completion is what begins with the last word of a text.
type Completion struct {
	Result
	Texts []string // the text with its last word completed, most frequent first
	Count int      // how many completions there are
}

// Complete returns completions of the query's text, texts at most, and the documents
// that have all its words, the last one completed.
func (x *Index) Complete(ctx context.Context, q Query, texts int) (Completion, error) {
	v, err := x.view()
	if err != nil {
		return Completion{}, err
	}
	defer x.release(v)
	q.All, q.begin = true, true
	var c Completion
	c.Result, err = x.search(ctx, v, q)
	if err != nil {
		return Completion{}, err
	}
	fields, err := v.reader.Fields()
	if err != nil {
		return Completion{}, err
	}
	languages := languagesOf(fields)
	all := wordsOf(words.Normal(cmp.Or(c.Fixed, q.Text)), maxQueryWords)
	if len(all) == 0 {
		return c, nil
	}
	typed := wordsOf(words.Normal(q.Text), maxQueryWords)
	before, last := all[:len(all)-1], typed[len(typed)-1]
	ends, count, err := x.ends(v, languages, q.Crawlers, last, texts, c.Typed == 0)
	for _, end := range ends {
		c.Texts = append(c.Texts, strings.Join(append(before[:len(before):len(before)], end), " "))
	}
	c.Count = count
	return c, err
}

// ends returns the words that a word begins, or else, where that is correct, one that is
// near to it, those of most documents first, and how many there are, as far as crawlers
// have them.
func (x *Index) ends(v *view, languages, crawlers []string, begin string, size int, correct bool) (all []string, total int, err error) {
	var found []near
	var mine []bool
	if crawlers != nil {
		mine = make([]bool, v.size)
		for _, crawler := range crawlers {
			if err := v.rows(fieldCrawler, crawler, func(doc uint32, _ int) { mine[doc] = true }); err != nil {
				return nil, 0, err
			}
		}
	}
	look := func(v *vocabulary) ([]near, int) { return v.beginning(begin, max(maxEnds, size)) }
	for range 2 {
		for _, language := range languages {
			some, many := look(x.words.of(language))
			total += many
			for _, n := range some {
				have, err := v.have(fieldText+language, n.word, mine)
				if err != nil {
					return nil, 0, err
				}
				if have == 0 {
					total--
					continue
				}
				n.titles, n.docs = min(n.titles, 1), have // in titles, or not
				found = append(found, n)
			}
		}
		if len(found) > 0 || !correct {
			break
		}
		look = func(v *vocabulary) ([]near, int) { all := v.near(begin, true); return all, len(all) }
	}
	slices.SortFunc(found, near.compare)
	for _, n := range found {
		if len(all) < size && !slices.Contains(all, n.word) {
			all = append(all, n.word)
		}
	}
	return all, total, nil
}
