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

// join joins expressions with an operator. Empty ones are left out.
func join(all []string, operator string) string {
	all = slices.DeleteFunc(slices.Clone(all), func(text string) bool { return text == "" })
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return "(" + strings.Join(all, ")"+operator+"(") + ")"
}

// clause returns the expression for one clause. stop reports whether it is a stop word in one of the
// languages. In documents of that language it is not searched, because it is too frequent. But a query of
// stop words finds titles.
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

// stops reports whether each of the words is a stop word in one of the languages.
func (s *scan) stops(all ...string) bool {
	return !slices.ContainsFunc(all, func(word string) bool {
		return !slices.ContainsFunc(s.languages, func(language string) bool {
			return s.store.Words.Read(language, word).Stop
		})
	})
}

// phrase returns an expression that requires the words in this order.
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

// word returns an expression for a clause's words, the word that they form when joined, or one of the
// alternatives in near.
func (s *scan) word(c clause) string {
	joined := []string{strings.Join(c.words, "")}
	ways := append([]string{s.together(c.words), s.together(joined)}, c.near...)
	if begin := s.phrase(joined); c.begin && begin != "" && len(joined[0]) > 1 {
		ways = append(ways, begin+" *")
	}
	slices.Sort(ways)
	return join(slices.Compact(ways), " OR ")
}

// together returns an expression that requires all of the words, in any form of any language. Words that
// are stop words in all languages are left out.
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
			tokens = append(tokens, `"`+strings.Join(forms, " ~")+`"`) // one token with several forms
		}
	}
	return join(tokens, " AND ")
}

// synonyms returns the clauses with each text of a synonym group as one clause, which the other texts of
// the group match too. Of several texts that begin at the same clause, the longest wins.
func (s *scan) synonyms(all []clause) (merged []clause) {
	for len(all) > 0 {
		next, size := all[0], 1
		next.group = s.synonyms(next.group)
		for _, language := range s.languages {
			key := ""
			for n, c := range all[:min(len(all), maxSynonym)] {
				if len(c.words) != 1 || c.phrase || c.not != next.not || c.column != next.column {
					break
				}
				w := s.store.Words.Read(language, c.words[0])
				if w.Stop && n > 0 {
					continue
				}
				key += " " + w.Term
				found := s.groups[key]
				if len(found) == 0 || n+1 < size {
					continue
				}
				if n+1 > size {
					next.near, size = nil, n+1
				}
				next.near = append(next.near, found...)
			}
		}
		for _, c := range all[1:size] {
			next.words = append(slices.Clip(next.words), c.words...)
		}
		merged, all = append(merged, next), all[size:]
	}
	return merged
}

// grouped returns expressions for all texts of each synonym group. The keys are the texts, as terms without
// stop words.
func (s *scan) grouped() map[string][]string {
	all := map[string][]string{}
	for _, group := range s.query.Synonyms {
		var keys, found []string
		for _, text := range group.Words {
			key, tokens := "", []string(nil)
			for run := range words.Runs(words.Lower(text)) {
				for _, word := range run {
					if w := s.store.Words.Read(words.Of(group.Language), word); !w.Stop {
						key += " " + w.Term
						tokens = append(tokens, `"`+store.Term(s.customer, w)+`"`)
					}
				}
			}
			keys, found = append(keys, key), append(found, join(tokens, " AND "))
		}
		for _, key := range keys {
			all[key] = append(all[key], found...)
		}
	}
	return all
}
