package search

import (
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2/search/query"

	"sitesync/internal/service/search/words"
)

// Query is what a search asks for.
type Query struct {
	Text     string
	All      bool       // every word must be there; else any, most of them first
	Synonyms []Synonyms // words that find each other
	Crawlers []string   // whose documents are searched; nil: everyone's

	Filters      Filters  // a document must pass all
	NotFilters   Filters  // and none of these
	PostFilters  Filters  // and these, which narrow the results, not the facets
	PostAny      bool     // one of PostFilters will do
	FilterFacets bool     // they narrow the facets, too
	Only         []string // IDs or Urls of the only documents to look at; nil: all
	Without      []string // IDs or Urls of documents to leave out

	Sort   []Order             // by these fields; empty: best first
	Facets map[string][]string // by field: the values to count; empty: the most frequent
	From   int
	Size   int

	ends []string // what the text may end with besides
}

// Synonyms are words or phrases of one language that mean the same.
type Synonyms struct {
	Language string
	Words    []string
}

// Everything is the text that finds every document.
const Everything = "*"

// maxQueryWords is how many words of a text are searched for, and how many terms of them:
// in scripts without spaces a word has many.
const maxQueryWords = 32

// A phrase is the terms that a word or several are found by. All of them must be in
// the same part of a document; in which order is not indexed.
type phrase []string

// A slot is one place of a query: any of its phrases fills it.
type slot []phrase

// slots returns the places of a text in a language. Stop words have none.
func (q Query) slots(r *words.Reader, language string) []slot {
	var all []slot
	for _, word := range wordsOf(q.Text) {
		for _, term := range meant(r, language, word) {
			if len(all) < maxQueryWords {
				all = append(all, slot{{term}})
			}
		}
	}
	var groups [][]phrase
	for _, group := range q.Synonyms {
		if words.Of(group.Language) == language {
			groups = append(groups, phrases(r, language, group.Words))
		}
	}
	all = expand(all, groups)
	if ends := phrases(r, language, q.ends); len(ends) > 0 {
		all = append(all, ends)
	}
	return all
}

// wordsOf returns the first words of a query's text in lower case.
func wordsOf(text string) []string {
	text = words.Normal(text)
	var all []string
	words.Each(text, func(start, end int) {
		if len(all) < maxQueryWords {
			all = append(all, strings.ToLower(text[start:end]))
		}
	})
	return all
}

// phrases returns the terms of each text that has any.
func phrases(r *words.Reader, language string, texts []string) []phrase {
	var all []phrase
	for _, text := range texts {
		var one phrase
		for _, word := range wordsOf(text) {
			one = append(one, meant(r, language, word)...)
		}
		if len(one) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// expand makes one slot of all phrases of a group where one of them stands in the query;
// of several groups the longest such phrase decides, and those that have one as long share
// the slot.
func expand(slots []slot, groups [][]phrase) []slot {
	for i := 0; i < len(slots); i++ {
		stands := func(p phrase) bool {
			for n, term := range p {
				if i+n == len(slots) || len(slots[i+n]) != 1 || !slices.Equal(slots[i+n][0], phrase{term}) {
					return false
				}
			}
			return true
		}
		length, same := 0, slot(nil)
		for _, group := range groups {
			n := 0
			for _, p := range group {
				if len(p) > n && stands(p) {
					n = len(p)
				}
			}
			if n > length {
				length, same = n, nil
			}
			if n > 0 && n == length {
				same = append(same, group...)
			}
		}
		if length > 0 {
			slots = slices.Replace(slots, i, i+length, same)
		}
	}
	return slots
}

// weights are what a word counts for in each part.
func weights() map[string]float64 {
	return map[string]float64{partTitle: 5, partLead: 2, partBody: 1.5, partRest: 0.5}
}

// match returns the query for the text in those of its parts that the index has.
func (q Query) match(r *words.Reader, fields []string) query.Query {
	if strings.TrimSpace(q.Text) == Everything {
		return query.NewMatchAllQuery()
	}
	var any []query.Query
	for _, language := range languagesOf(fields) {
		var places []query.Query
		for _, s := range q.slots(r, language) {
			places = append(places, s.query(language, fields))
		}
		switch {
		case len(places) > 0 && q.All:
			any = append(any, query.NewConjunctionQuery(places))
		case len(places) > 0:
			any = append(any, query.NewDisjunctionQuery(places))
		}
	}
	return anyOf(any)
}

func (s slot) query(language string, fields []string) query.Query {
	var any []query.Query
	for part, weight := range weights() {
		if !slices.Contains(fields, part+language) {
			continue
		}
		for _, p := range s {
			var all []query.Query
			for _, term := range p {
				one := query.NewTermQuery(term)
				one.SetField(part + language)
				one.SetBoost(weight)
				all = append(all, one)
			}
			if len(all) == 1 {
				any = append(any, all[0])
			} else {
				any = append(any, query.NewConjunctionQuery(all))
			}
		}
	}
	return anyOf(any)
}

// languagesOf returns the languages that the index has documents in.
func languagesOf(fields []string) []string {
	var all []string
	for _, field := range fields {
		if part, language, ok := strings.Cut(field, "."); ok && part+"." == partRest {
			all = append(all, language)
		}
	}
	return all
}

func anyOf(queries []query.Query) query.Query {
	switch len(queries) {
	case 0:
		return query.NewMatchNoneQuery()
	case 1:
		return queries[0]
	}
	return query.NewDisjunctionQuery(queries)
}
