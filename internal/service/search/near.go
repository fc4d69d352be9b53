package search

import (
	"slices"
	"strings"
	"unicode"

	"sitesync/internal/service/store"
)

const (
	maxWordCorrections     = 40
	maxSearchedCompletions = 20
	maxCountedCompletions  = 1000
	maxFacetValues         = 1000
	maxQueryWords          = 120 // further words of a query are ignored
	maxSynonymWords        = 10  // number of words in one synonym, stop words included
	enough                 = 20  // if this many documents pass the filters, two must contain a correction
)

// match returns the documents that match the query's text. If none has all words, match tries corrections.
func (s *scan) match(r *Result) source {
	asked := typed(s.clauses)
	found := s.within(s.query.All)
	r.Typed = s.there(found)
	if len(asked) == 0 || s.there(s.within(true)) {
		return found // corrections would only add worse results
	}
	s.correct()
	found = s.within(s.query.All)
	meant := typed(s.clauses)
	if !slices.Equal(asked, meant) && s.there(found) {
		r.Fixed = strings.Join(meant, " ")
	}
	return found
}

// within returns the documents that contain any word of the query, or every word if all is true.
func (s *scan) within(all bool) source {
	s.without = nil
	s.matching = s.expression(s.clauses, all)
	found := s.documents(s.matching)
	everything := len(s.without)+len(s.fields) > 0 || strings.TrimSpace(s.query.Text) == Everything
	if s.matching == "" && (len(typed(s.clauses)) > 0 || !everything) {
		return found.and(Condition{text: "0"})
	}
	return found
}

func (s *scan) there(from source) bool { return s.count(from, 1) == 1 }

// complete returns indexed words that begin like the query's last word. The most frequent are searched too.
func (s *scan) complete() []string {
	all := single(s.clauses)
	if s.query.Completions == 0 || len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	ends := s.beginning(last.words[len(last.words)-1], maxCountedCompletions)
	for _, end := range ends[:min(maxSearchedCompletions, len(ends))] {
		last.near = append(last.near, s.together([]string{end}))
	}
	return ends
}

func (s *scan) beginning(begin string, size int) []string {
	return column[string](s, `SELECT word FROM word WHERE customer = ? AND word >= ? AND word < ?
		GROUP BY word ORDER BY sum(documents) DESC, word LIMIT ?`, s.customer, begin, begin+"\U0010ffff", size)
}

// correct adds corrections to each word that no document contains: similar words, and the two parts of a
// compound word. For the last word, it also adds indexed words that begin like it. It skips stop words.
func (s *scan) correct() {
	minDocuments := 1 + s.count(s.documents(""), enough)/enough
	all := single(s.clauses)
	for i, c := range all {
		word := c.words[0]
		text, stop := s.clause(*c, true)
		if len(c.words) > 1 || text == "" || stop || s.there(s.documents(text)) {
			continue
		}
		others := s.present(slices.Concat(s.near(word), halves(word)), minDocuments)
		if i == len(all)-1 && s.query.Completions == 0 && len(word) > 2 {
			others = append(others, s.present(s.beginning(word, maxSearchedCompletions), 1)...)
		}
		for _, other := range others {
			c.near, c.meant = append(c.near, s.together(strings.Fields(other))), others[0]
		}
	}
}

// present returns the texts that occur in at least minDocuments of the documents that pass the query's
// filters. It returns at most maxWordCorrections texts.
func (s *scan) present(texts []string, minDocuments int) (there []string) {
	for _, text := range texts {
		expression := s.together(strings.Fields(text))
		if expression == "" || len(there) == maxWordCorrections {
			continue
		}
		if s.count(s.documents(expression), minDocuments) == minDocuments {
			there = append(there, text)
		}
	}
	return there
}

// near returns indexed words within one edit of a word, or two edits if the word has six letters or more.
// About half of the letters must be equal, at the beginning or the end, so that a database index finds the
// words. Fewest edits come first, then most documents. A word with a digit has no similar words.
func (s *scan) near(word string) []string {
	letters := []rune(word)
	if len(letters) < 3 || strings.ContainsFunc(word, unicode.IsDigit) {
		return nil
	}
	half, most := (len(letters)-1)/2, 1+min(len(letters)/6, 1)
	begin, end := string(letters[:half]), string([]rune(store.Back(word))[:half])
	return column[string](s, `SELECT word FROM (
		SELECT word, language, documents FROM word WHERE customer = ?1 AND word >= ?2 AND word < ?3 UNION
		SELECT word, language, documents FROM word WHERE customer = ?1 AND back(word) >= ?4 AND back(word) < ?5
			AND language IN (SELECT value FROM json_each(?6))
		) WHERE length(word) BETWEEN ?9 AND ?10 AND edits(word, ?7) <= ?8
		GROUP BY word ORDER BY edits(word, ?7), sum(documents) DESC, word`,
		s.customer, begin, begin+"\U0010ffff", end, end+"\U0010ffff", encoded(s.languages), word, most,
		len(letters)-most, len(letters)+most)
}

// halves returns the pairs of words that may form this compound word, also with a linking s: Arbeit-s-amt.
func halves(word string) (pairs []string) {
	for i := range word {
		for _, left := range []string{word[:i], strings.TrimSuffix(word[:i], "s")} {
			if len(left) > 2 && len(word)-i > 2 {
				pairs = append(pairs, left+" "+word[i:])
			}
		}
	}
	return slices.Compact(pairs)
}
