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
	maxNear = 40 // words that one word may be meant for
	maxEnds = 20 // completions of a word that documents are searched by
	enough  = 20 // documents, from which on a word of one alone may be an error itself
)

// match returns the documents for the query's text, and fills in what was typed and what is meant.
func (s *scan) match(r *Result) (source, error) {
	asked := typed(s.clauses)
	found := s.within(s.query.All)
	var err error
	if r.Typed, err = s.there(found); err != nil || len(asked) == 0 {
		return found, err
	}
	whole, err := s.there(s.within(true))
	if whole || err != nil { // then other words than those typed would only mix in worse results
		return found, err
	}
	if err := s.correct(); err != nil {
		return found, err
	}
	found = s.within(s.query.All)
	meant := typed(s.clauses)
	there, err := s.there(found)
	if there && !slices.Equal(asked, meant) {
		r.Fixed = strings.Join(meant, " ")
	}
	return found, err
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

func (s *scan) there(from source) (bool, error) {
	found, err := s.numbers(from, "1", " LIMIT 1")
	return len(found) > 0, err
}

// complete gives the last word those that begin with it. It returns them, and how many there are in
// all.
func (s *scan) complete() (ends []string, count int, err error) {
	all := single(s.clauses)
	if s.query.Completions == 0 || len(all) == 0 {
		return nil, 0, nil
	}
	last := all[len(all)-1]
	begin := last.words[len(last.words)-1]
	ends, err = s.beginning(begin, max(maxEnds, s.query.Completions))
	if err != nil {
		return nil, 0, err
	}
	last.near = ends[:min(maxEnds, len(ends))]
	counts, err := store.Column[int](s.tx, "SELECT count(DISTINCT word) FROM word WHERE customer = ? AND word >= ? AND word < ?", s.customer, begin, begin+"\U0010ffff")
	return ends[:min(s.query.Completions, len(ends))], append(counts, 0)[0], err
}

// beginning returns words that begin with a text, those of most documents first.
func (s *scan) beginning(begin string, size int) ([]string, error) {
	return store.Column[string](s.tx, `SELECT word FROM word WHERE customer = ? AND word >= ? AND word < ?
		GROUP BY word ORDER BY sum(documents) DESC, word LIMIT ?`, s.customer, begin, begin+"\U0010ffff", size)
}

// correct adds to each word that no document has those that may be meant: near ones, or the two that
// it is made of; to the last word also those that begin with it.
func (s *scan) correct() error {
	least, err := store.Column[int](s.tx, "SELECT 1 + (count(*) = ?2) FROM (SELECT 1 FROM document WHERE customer = ?1 LIMIT ?2)", s.customer, enough)
	if err != nil {
		return err
	}
	all := single(s.clauses)
	for i, c := range all {
		known, err := s.known(c)
		if err != nil {
			return err
		}
		if known || len(c.words) > 1 {
			continue
		}
		others, err := s.others(c.words[0], least[0])
		if err != nil {
			return err
		}
		if i == len(all)-1 && s.query.Completions == 0 && len(c.words[0]) > 2 {
			ends, err := s.beginning(c.words[0], maxEnds)
			if err != nil {
				return err
			}
			ends, err = s.present(ends, 1)
			if err != nil {
				return err
			}
			others = append(others, ends...)
		}
		if len(others) > 0 {
			c.near, c.meant = slices.Concat(c.near, others), others[0]
		}
	}
	return nil
}

// known reports whether a document has a word, or a synonym of it. Stop words are known.
func (s *scan) known(c *clause) (bool, error) {
	alone := clause{words: c.words, begin: c.begin, near: c.near}
	text, _ := s.synonyms([]clause{alone})
	if text == "" || s.skips(&alone) {
		return true, nil
	}
	return s.there(s.documents(text))
}

// others returns the words that may be meant by one that no document has: near words, or where there
// are none the two that it is made of. So many documents have each.
func (s *scan) others(word string, least int) ([]string, error) {
	letters := []rune(word)
	if len(letters) < 3 || len(word) > words.MaxTerm || strings.ContainsFunc(word, unicode.IsDigit) {
		return nil, nil
	}
	near, err := s.near(letters)
	if err != nil {
		return nil, err
	}
	found, err := s.present(near, least)
	if len(found) > 0 || err != nil {
		return found, err
	}
	return s.present(halves(word), least)
}

// present returns those of the texts that so many documents within the query's filters have, maxNear
// at most.
func (s *scan) present(texts []string, least int) (there []string, err error) {
	for _, text := range texts {
		expression := s.word(&clause{near: []string{text}})
		if expression == "" || len(there) == maxNear {
			continue
		}
		found, err := s.numbers(s.documents(expression), "1", fmt.Sprintf(" LIMIT %d", least))
		if err != nil {
			return nil, err
		}
		if len(found) == least {
			there = append(there, text)
		}
	}
	return there, nil
}

// near returns the words of documents that differ from a word by few letters: one, or two in
// words of six and more, where one half is as typed. Those that differ least come first, then those
// of most documents.
func (s *scan) near(letters []rune) ([]string, error) {
	type near struct {
		word        string
		docs, edits int
	}
	var all []near
	half, most := (len(letters)-1)/2, 1+min(len(letters)/6, 1)
	for column, typed := range map[string]string{"word": string(letters), "back(word)": store.Back(string(letters))} {
		begin := string([]rune(typed)[:half])
		found, err := store.Rows(s.tx, func(n *near) []any { return []any{&n.word, &n.docs} }, `SELECT word, sum(documents) FROM word
			WHERE customer = ? AND `+column+" >= ? AND "+column+" < ? AND length(word) BETWEEN ? AND ? GROUP BY word",
			s.customer, begin, begin+"\U0010ffff", len(letters)-most, len(letters)+most)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			if n.edits = edits(letters, []rune(n.word), most); n.edits <= most {
				all = append(all, n)
			}
		}
	}
	slices.SortFunc(all, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.edits, b.edits), cmp.Compare(b.docs, a.docs), cmp.Compare(a.word, b.word))
	})
	var texts []string
	for _, n := range slices.Compact(all) {
		texts = append(texts, n.word)
	}
	return texts, nil
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
