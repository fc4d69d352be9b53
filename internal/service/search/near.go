package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"sitesync/internal/service/store"
	"sitesync/internal/service/words"
)

const (
	maxNear  = 40   // words that one word may be meant for
	maxEnds  = 20   // completions of a word that documents are searched by
	maxCount = 1000 // completions that are counted
	enough   = 20   // documents, from which on a word of one alone may be an error itself
)

// match returns the documents for the query's text, and fills in Typed and Fixed.
func (s *scan) match(r *Result) source {
	asked := typed(s.clauses)
	found := s.within(s.query.All)
	r.Typed = s.there(found)
	if len(asked) == 0 || s.there(s.within(true)) {
		return found // other words than those typed would only mix in worse results
	}
	s.correct()
	found = s.within(s.query.All)
	meant := typed(s.clauses)
	if !slices.Equal(asked, meant) && s.there(found) {
		r.Fixed = strings.Join(meant, " ")
	}
	return found
}

// within returns the documents that have a word of the query, or, with all, all of them.
func (s *scan) within(all bool) source {
	s.without = nil
	text := s.expression(s.clauses, all)
	found := s.documents(text)
	everything := len(typed(s.clauses)) == 0 && (len(s.without) > 0 || strings.TrimSpace(s.query.Text) == Everything)
	if text == "" && !everything {
		return found.and(condition{text: "0"})
	}
	return found
}

func (s *scan) there(from source) bool { return s.number(from, "1") > 0 }

// complete lets those words be meant by the last one that begin with it. It returns them, and
// counts them.
func (s *scan) complete(r *Result) []string {
	all := single(s.clauses)
	if s.query.Completions == 0 || len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	ends := s.beginning(last.words[len(last.words)-1], maxCount)
	last.near, r.Count = append(last.near, ends[:min(maxEnds, len(ends))]...), len(ends)
	return ends[:min(s.query.Completions, len(ends))]
}

// beginning returns words that begin with a text, those of most documents first.
func (s *scan) beginning(begin string, size int) []string {
	return column[string](s, `SELECT word FROM word WHERE customer = ? AND word >= ? AND word < ?
		GROUP BY word ORDER BY sum(documents) DESC, word LIMIT ?`, s.customer, begin, begin+"\U0010ffff", size)
}

// correct adds to each word that no document has those that may be meant: near ones, or the two that
// it is made of; to the last word also those that begin with it.
func (s *scan) correct() {
	least := 1
	if len(column[int](s, "SELECT 1 FROM document WHERE customer = ? LIMIT ?", s.customer, enough)) == enough {
		least = 2
	}
	all := single(s.clauses)
	for i, c := range all {
		word := c.words[0]
		if len(c.words) > 1 || s.known(c) {
			continue
		}
		others := s.others(word, least)
		if i == len(all)-1 && s.query.Completions == 0 && len(word) > 2 {
			others = append(others, s.present(s.beginning(word, maxEnds), 1)...)
		}
		if len(others) > 0 {
			c.near, c.meant = slices.Concat(c.near, others), others[0]
		}
	}
}

// known reports whether a document has a word, or a synonym of it. Stop words are known.
func (s *scan) known(c *clause) bool {
	alone := clause{words: c.words, begin: c.begin, near: c.near}
	text, _ := s.synonyms([]clause{alone}, 0)
	return text == "" || s.skips(&alone) || s.there(s.documents(text))
}

// others returns the words that may be meant by one that no document has: near words, or where there
// are none the two that it is made of. So many documents have each.
func (s *scan) others(word string, least int) []string {
	letters := []rune(word)
	if len(letters) < 3 || len(word) > words.MaxTerm || strings.ContainsFunc(word, unicode.IsDigit) {
		return nil
	}
	found := s.present(s.near(letters), least)
	if len(found) == 0 {
		found = s.present(halves(word), least)
	}
	return found
}

// present returns those of the texts that so many documents within the query's filters have, maxNear
// at most.
func (s *scan) present(texts []string, least int) (there []string) {
	for _, text := range texts {
		expression := s.word(&clause{near: []string{text}})
		if expression == "" || len(there) == maxNear {
			continue
		}
		if found := s.numbers(s.documents(expression), "1", fmt.Sprintf(" LIMIT %d", least)); len(found) == least {
			there = append(there, text)
		}
	}
	return there
}

// near returns the words of documents that differ from a word by few letters: one, or two in
// words of six and more, where one half is as typed. Those that differ least come first, then those
// of most documents.
func (s *scan) near(letters []rune) (texts []string) {
	type near struct {
		word        string
		docs, edits int
	}
	half, most := (len(letters)-1)/2, 1+min(len(letters)/6, 1)
	begin, end := string(letters[:half]), string([]rune(store.Back(string(letters)))[:half])
	all := rows(s, func(n *near) []any { return []any{&n.word, &n.docs} }, `SELECT word, sum(documents) FROM (
		SELECT word, language, documents FROM word WHERE customer = ?1 AND word >= ?2 AND word < ?3 UNION
		SELECT word, language, documents FROM word WHERE customer = ?1 AND back(word) >= ?4 AND back(word) < ?5
			AND language IN (SELECT value FROM json_each(?6))
		) WHERE length(word) BETWEEN ?7 AND ?8 GROUP BY word`, s.customer,
		begin, begin+"\U0010ffff", end, end+"\U0010ffff", encoded(s.languages), len(letters)-most, len(letters)+most)
	for i := range all {
		all[i].edits = edits(letters, []rune(all[i].word), most)
	}
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.docs, a.docs), cmp.Compare(a.word, b.word))
	})
	for _, n := range all {
		if n.edits <= most {
			texts = append(texts, n.word)
		}
	}
	return texts
}

// edits returns by how many letters two words differ, two that are swapped counted as one. Beyond
// most it returns more than that.
func edits(a, b []rune, most int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case len(a) == 0 || len(b) == 0:
		return len(a) + len(b)
	case most == 0:
		return 1
	}
	least := min(edits(a[1:], b, most-1), edits(a, b[1:], most-1), edits(a[1:], b[1:], most-1))
	if len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0] {
		least = min(least, edits(a[2:], b[2:], most-1))
	}
	return 1 + least
}

// halves returns the pairs of words that a word may be made of, with a joining s or without: those
// of Rathausplatz and of Arbeitsamt.
func halves(word string) (pairs []string) {
	for i := range word {
		left, right := word[:i], word[i:]
		if len(left) < 3 || len(right) < 3 {
			continue
		}
		pairs = append(pairs, left+" "+right)
		if bare, cut := strings.CutSuffix(left, "s"); cut && len(bare) > 2 {
			pairs = append(pairs, bare+" "+right)
		}
	}
	return pairs
}
