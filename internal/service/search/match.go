package search

import (
	"slices"
	"strings"

	"sitesync/internal/service/store"
	"sitesync/internal/service/words"
)

// expression returns the FTS5 expression for clauses, or "" if there is no word to search for. If all is
// true, documents must contain every clause, except stop words and clauses that are joined with OR.
func (s *scan) expression(clauses []clause, all bool) string {
	var must, should, not []string
	for _, c := range clauses {
		text, stop := s.clause(c, all)
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
	} else {
		s.without = append(s.without, not...)
	}
	return found
}

func join(all []string, operator string) string {
	all = slices.DeleteFunc(slices.Clone(all), func(text string) bool { return text == "" })
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return "(" + strings.Join(all, ")"+operator+"(") + ")"
}

// clause returns the FTS5 expression for one clause. stop is true if its words are stop words, which are too
// frequent to search. If a query has only stop words, titles are searched for them.
func (s *scan) clause(c clause, all bool) (text string, stop bool) {
	switch {
	case c.group != nil:
		text = s.expression(c.group, all)
	case c.phrase:
		text = s.phrase(c.words)
	default:
		text = s.word(c)
		stop = len(c.near) == 0 && s.stops(c.words...)
		if stop && c.not {
			text = s.phrase(c.words)
		} else if stop && s.titles {
			text = join([]string{text, "title : " + s.phrase(c.words)}, " OR ")
		}
	}
	if text != "" && c.column != "" {
		text = c.column + " : (" + text + ")"
	}
	return text, stop
}

func (s *scan) stops(all ...string) bool {
	return !slices.ContainsFunc(all, func(word string) bool {
		return !slices.ContainsFunc(s.languages, func(language string) bool {
			return s.store.Words.Read(language, word).Stop
		})
	})
}

func (s *scan) phrase(all []string) string {
	var tokens []string
	for _, word := range all {
		if w := s.store.Words.Read(words.Other, word); w.Exact != "" {
			tokens = append(tokens, store.Exact(s.customer, w))
		}
	}
	if len(tokens) == 0 {
		return ""
	}
	return `"` + strings.Join(tokens, " ") + `"`
}

// word returns an FTS5 expression for a clause that is neither a phrase nor a group. A document matches if it
// has all words of the clause, or has them written as one word, or matches an expression in c.near.
func (s *scan) word(c clause) string {
	joined := []string{strings.Join(c.words, "")}
	ways := append([]string{s.together(c.words), s.together(joined)}, c.near...)
	if begin := s.phrase(joined); c.prefix && begin != "" && len(joined[0]) > 1 {
		ways = append(ways, begin+" *")
	}
	slices.Sort(ways)
	return join(slices.Compact(ways), " OR ")
}

// together returns an FTS5 expression that requires all of the words, in any form of any language. Words
// that are stop words in all languages are left out.
func (s *scan) together(all []string) string {
	var tokens []string
	for _, word := range all {
		var forms []string
		for _, language := range s.languages {
			if w := s.store.Words.Read(language, word); w.Exact != "" && !w.Stop {
				forms = append(forms, store.Term(s.customer, w))
			}
		}
		if len(forms) > 0 {
			tokens = append(tokens, `"`+strings.Join(forms, " ~")+`"`) // ~ adds a form at the same position
		}
	}
	return join(tokens, " AND ")
}

// synonyms merges the clauses of each synonym in a query into one clause, which also matches the other
// synonyms of its group. If several synonyms begin at one clause, the longest wins. groups comes from
// [scan.grouped].
func (s *scan) synonyms(all []clause, groups map[string][]string) (merged []clause) {
	for len(all) > 0 && len(groups) > 0 {
		next, size := all[0], min(len(all), maxSynonymWords)
		for next.near == nil && size > 0 {
			for _, language := range s.languages {
				next.near = append(next.near, groups[s.key(language, all[:size])]...)
			}
			size--
		}
		for _, c := range all[1 : size+1] {
			next.words = append(slices.Clip(next.words), c.words...)
		}
		next.group = s.synonyms(next.group, groups)
		merged, all = append(merged, next), all[size+1:]
	}
	return append(merged, all...)
}

// grouped maps the key of each synonym to the FTS5 expressions of all synonyms in its group.
func (s *scan) grouped() map[string][]string {
	all, begin := map[string][]string{}, `"`+store.Term(s.customer, words.Word{})
	for _, group := range s.query.Synonyms {
		var keys, near []string
		for _, text := range group.Words {
			text = words.Lower(text)
			var typed []clause
			for start, end := range words.Each(text) {
				typed = append(typed, clause{words: []string{text[start:end]}})
			}
			keys = append(keys, s.key(words.Of(group.Language), typed))
			near = append(near, begin+strings.Join(strings.Fields(keys[len(keys)-1]), `" AND `+begin)+`"`)
		}
		for _, key := range keys {
			all[key] = append(all[key], near...)
		}
	}
	delete(all, "")
	return all
}

// key returns the key of a synonym in the map of [scan.grouped]: the stems of its words, without stop words.
// Each clause must be one word, and either all or none must be negated. Otherwise key returns "".
func (s *scan) key(language string, all []clause) (key string) {
	for _, c := range all {
		if len(c.words) != 1 || c.phrase || c.not != all[0].not {
			return ""
		}
		if w := s.store.Words.Read(language, c.words[0]); !w.Stop {
			key += " " + w.Term
		}
	}
	return key
}
