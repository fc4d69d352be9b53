package search

import (
	"slices"
	"strings"

	"sitesync/internal/service/store"
	"sitesync/internal/service/words"
)

// expression returns the FTS5 expression for clauses, or "" if they require nothing. If all is set,
// documents must contain every clause except stop words.
func (s *scan) expression(clauses []clause, all bool) string {
	var must, should, not []string
	for i := 0; i < len(clauses); i++ {
		c := &clauses[i]
		text, stop := "", false
		switch {
		case c.group != nil:
			text = s.expression(c.group, all)
		case c.phrase || c.not && len(c.words) > 1:
			text = s.phrase(c)
		default:
			stop = s.skips(c)
			text, i = s.synonyms(clauses, i)
		}
		if text != "" && c.column != "" {
			text = c.column + " : (" + text + ")"
		}
		switch {
		case text == "":
		case c.not:
			not = append(not, text)
		case !stop && (c.must || all && !c.or):
			must = append(must, text)
		default:
			should = append(should, text)
		}
	}
	found := join(should, " OR ")
	if len(must) > 0 {
		found = join(must, " AND ")
		if len(should) > 0 { // optional clauses don't filter, but they raise the rank
			found = "(" + found + ") AND (" + join(append(must, should...), " OR ") + ")"
		}
	}
	if len(not) > 0 && found != "" {
		found = "(" + found + ") NOT (" + join(not, " OR ") + ")"
	} else if len(not) > 0 {
		s.without = append(s.without, not...)
	}
	return found
}

func join(all []string, operator string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return "(" + strings.Join(all, ")"+operator+"(") + ")"
}

// skips reports whether a clause is a stop word in one of the languages, and the query has other words.
func (s *scan) skips(c *clause) bool {
	return !s.stops && len(c.near) == 0 && slices.ContainsFunc(s.languages, func(language string) bool {
		_, telling := s.read(language, c.words...)
		return !telling
	})
}

// read looks words up in a language. telling reports whether at least one of them is not a stop word.
func (s *scan) read(language string, all ...string) (found []words.Word, telling bool) {
	for _, word := range all {
		if w := s.store.Words.Read(language, word); w.Exact != "" {
			found, telling = append(found, w), telling || !w.Stop
		}
	}
	return found, telling
}

// together returns an expression that requires all of the words; "" for no words.
func (s *scan) together(all []words.Word) string {
	var tokens []string
	for _, w := range all {
		token := store.Term(s.customer, w)
		if w.Stop {
			token = store.Exact(s.customer, w)
		}
		tokens = append(tokens, `"`+token+`"`)
	}
	return strings.Join(tokens, " AND ")
}

// phrase returns an expression that requires the clause's words in this order. Single words are added to
// rank.
func (s *scan) phrase(c *clause) string {
	var tokens []string
	found, _ := s.read(words.Other, c.words...)
	for _, w := range found {
		tokens = append(tokens, store.Exact(s.customer, w))
	}
	if len(tokens) == 0 {
		return ""
	}
	whole := `"` + strings.Join(tokens, " ") + `"`
	rank := s.word(&clause{words: c.words, column: c.column})
	if c.not || rank == "" {
		return whole
	}
	return whole + " AND (" + rank + ")"
}

// word returns an expression for a clause's words in every language of the documents. It matches all of the
// words, or one of the alternatives in near. Stop words are matched only in titles, unless the query has
// nothing else; in other fields they are too frequent.
func (s *scan) word(c *clause) string {
	var ways []string
	for _, language := range s.languages {
		found, telling := s.read(language, c.words...)
		text := s.together(found)
		if !telling && !c.not && c.column == "" && text != "" {
			text = "title : (" + text + ")"
		}
		if telling || c.not || s.stops {
			ways = append(ways, text)
		}
		for _, other := range c.near {
			if found, telling := s.read(language, strings.Fields(other)...); telling {
				ways = append(ways, s.together(found))
			}
		}
	}
	if c.begin {
		if w := s.store.Words.Read(words.Other, c.words[0]); len(w.Exact) > 1 {
			ways = append(ways, `"`+store.Exact(s.customer, w)+`" *`)
		}
	}
	return alternatives(ways)
}

// alternatives returns an expression that requires at least one of several.
func alternatives(all []string) string {
	slices.Sort(all)
	return join(slices.DeleteFunc(slices.Compact(all), func(text string) bool { return text == "" }), " OR ")
}

// synonyms returns an expression for the clauses at a position or their synonyms, and the index of the last
// clause that it covers. The synonym groups with the longest matching text win.
func (s *scan) synonyms(clauses []clause, at int) (text string, last int) {
	var all, typed []string
	length := 1
	for _, group := range s.query.Synonyms {
		language, n := words.Of(group.Language), 0
		for _, text := range group.Words {
			n = max(n, s.standing(language, text, clauses[at:]))
		}
		if n > length {
			all, length = nil, n
		}
		if n < length {
			continue
		}
		for _, text := range group.Words {
			all = append(all, s.together(s.telling(language, text)))
		}
	}
	for _, c := range clauses[at : at+length] {
		if text := s.word(&c); text != "" {
			typed = append(typed, text)
		}
	}
	return alternatives(append(all, join(typed, " AND "))), at + length - 1
}

// telling returns the words of a text without stop words.
func (s *scan) telling(language, text string) (all []words.Word) {
	for run := range words.Runs(words.Lower(text)) {
		found, _ := s.read(language, run...)
		all = append(all, found...)
	}
	return slices.DeleteFunc(all, func(w words.Word) bool { return w.Stop })
}

// standing returns how many clauses a text matches from their beginning, including stop words between its
// words. It returns 0 if the clauses don't begin with the text.
func (s *scan) standing(language, text string, clauses []clause) (n int) {
	single := func(c clause) words.Word {
		if len(c.words) != 1 || c.phrase || len(c.near) > 0 {
			return words.Word{}
		}
		return s.store.Words.Read(language, c.words[0])
	}
	for _, want := range s.telling(language, text) {
		for n > 0 && n < len(clauses) && single(clauses[n]).Stop {
			n++
		}
		if n == len(clauses) || single(clauses[n]).Term != want.Term {
			return 0
		}
		n++
	}
	return n
}
