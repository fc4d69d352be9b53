package search

import (
	"slices"
	"strings"

	"sitesync/internal/service/store"
	"sitesync/internal/service/words"
)

// A leaf is what a clause is found by in one language.
type leaf struct {
	phrases   [][]string // any of them will do, of which a document has all tokens
	made      string     // the expression itself, of phrases and groups
	stop      bool
	must, not bool
	or        bool
	column    string
}

// expression returns what the index is asked for clauses, those in one language; "" for
// nothing. With all, each of them must be there.
func (s *scan) expression(language string, clauses []clause, all, stops bool) string {
	var must, should, not []string
	for _, l := range s.leaves(language, clauses, all, stops) {
		text := l.made
		if text == "" {
			text = anyOf(l.phrases)
		}
		switch column := l.column; {
		case text == "" || l.stop && !stops && !l.not:
			continue
		case l.stop && column == "" && !l.not:
			text = "title : (" + text + ")" // elsewhere they stand everywhere
		case column != "":
			text = column + " : (" + text + ")"
		}
		switch {
		case l.not:
			not = append(not, text)
		case l.must || all && !l.or:
			must = append(must, text)
		default:
			should = append(should, text)
		}
	}
	found := join(should, " OR ")
	if len(must) > 0 {
		found = join(must, " AND ")
		if len(should) > 0 { // they rank
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

// join joins expressions, each in parentheses.
func join(all []string, operator string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return "(" + strings.Join(all, ")"+operator+"(") + ")"
}

// anyOf returns the expression of phrases of which one will do.
func anyOf(phrases [][]string) string {
	var all []string
	for _, tokens := range phrases {
		if len(tokens) > 0 {
			all = append(all, `"`+strings.Join(tokens, `" AND "`)+`"`)
		}
	}
	return join(all, " OR ")
}

// leaves returns what clauses are found by in a language, those with synonyms as one.
func (s *scan) leaves(language string, clauses []clause, all, stops bool) (leaves []leaf) {
	for i := range clauses {
		c := &clauses[i]
		l := leaf{must: c.must, not: c.not, or: c.or, column: c.column}
		switch {
		case c.group != nil:
			l.made = s.expression(language, c.group, all, stops)
		case c.phrase || c.not && len(c.words) > 1:
			l.made = s.phrase(c.words)
		case c.not: // whatever its language
			for _, language := range s.languages {
				other := leaf{}
				s.word(&other, c, language)
				l.phrases = append(l.phrases, other.phrases...)
			}
		default:
			s.word(&l, c, language)
		}
		leaves = append(leaves, l)
	}
	var groups [][][]string
	for _, group := range s.query.Synonyms {
		if words.Of(group.Language) == language {
			groups = append(groups, s.synonyms(language, group.Words))
		}
	}
	return expand(leaves, groups)
}

// phrase returns the expression of words that stand one behind the other.
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

// word completes the leaf of a word, or of several that may be written as one.
func (s *scan) word(l *leaf, c *clause, language string) {
	read := func(word string) (token string, stop bool) {
		w := s.store.Words.Read(language, word)
		switch {
		case w.Exact == "":
			return "", false
		case w.Stop:
			return store.Exact(s.customer, w), true
		}
		s.marks[w.Term] = true
		return store.Term(s.customer, w), false
	}
	var tokens []string
	l.stop = true
	for _, word := range c.words {
		if token, stop := read(word); token != "" {
			tokens, l.stop = append(tokens, token), l.stop && stop
		}
	}
	l.phrases = [][]string{tokens}
	if len(c.words) == 0 {
		return
	}
	if len(c.words) > 1 {
		c.also(language, strings.Join(c.words, ""))
	}
	for _, word := range c.near[language] {
		if token, _ := read(word); token != "" {
			l.phrases, l.stop = append(l.phrases, []string{token}), false
		}
	}
	if w := s.store.Words.Read(language, c.words[0]); c.begin && len(w.Exact) > 1 {
		l.made = anyOf(l.phrases) + ` OR "` + store.Exact(s.customer, w) + `" *`
	}
}

// also adds a word of a language that the clause's may stand for.
func (c *clause) also(language, word string) {
	if c.near == nil {
		c.near = map[string][]string{}
	}
	if !slices.Contains(c.near[language], word) {
		c.near[language] = append(c.near[language], word)
	}
}

// synonyms returns the tokens of each text that has any.
func (s *scan) synonyms(language string, texts []string) (all [][]string) {
	for _, text := range texts {
		p, one := parser{left: maxQueryWords}, []string(nil)
		for _, c := range p.runs(text) {
			for _, word := range c.words {
				if w := s.store.Words.Read(language, word); w.Exact != "" && !w.Stop {
					one = append(one, store.Term(s.customer, w))
					s.marks[w.Term] = true
				}
			}
		}
		if len(one) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// expand makes one leaf of all phrases of a group where one of them stands in the query,
// between stop words too; of several groups the longest such phrase decides, and those that
// have one as long share the leaf.
func expand(leaves []leaf, groups [][][]string) []leaf {
	for i := 0; i < len(leaves); i++ {
		length, same := 0, [][]string(nil)
		for _, group := range groups {
			n := 0
			for _, phrase := range group {
				n = max(n, standing(phrase, leaves[i:]))
			}
			if n > length {
				length, same = n, nil
			}
			if n > 0 && n == length {
				same = append(same, group...)
			}
		}
		if length > 0 {
			leaves[i].phrases = same
			leaves = slices.Delete(leaves, i+1, i+length)
		}
	}
	return leaves
}

// standing returns how many leaves a phrase takes up at the beginning, 0 where others stand there.
func standing(phrase []string, leaves []leaf) (n int) {
	for _, token := range phrase {
		for n > 0 && n < len(leaves) && leaves[n].stop {
			n++
		}
		if n == len(leaves) || leaves[n].stop || len(leaves[n].phrases) != 1 || !slices.Equal(leaves[n].phrases[0], []string{token}) {
			return 0
		}
		n++
	}
	return n
}

// columns are those of the index that have one field.
var columns = []string{"title", "description", "content"}
