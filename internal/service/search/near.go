package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"sitesync/internal/service/store"
	"sitesync/internal/service/words"
)

const (
	maxNear = 40 // words that a mistyped one is taken for
	maxEnds = 20 // completions of a word that documents are searched by
	enough  = 20 // documents, among which a word that one alone has may be an error itself
)

// A near word is one of documents that may be meant by another.
type near struct {
	word  string
	edits int // letters that differ, two that are swapped for one
	docs  int // that have it
}

// compare orders near words: those that differ least come first, then those that are in most
// documents.
func (n near) compare(other near) int {
	return cmp.Or(cmp.Compare(n.edits, other.edits), cmp.Compare(other.docs, n.docs), cmp.Compare(n.word, other.word))
}

// match returns the documents for the query's text, and says what was typed and what is meant.
func (s *scan) match(r *Result) (source, error) {
	asked := typed(s.clauses)
	if s.query.begin && len(asked) > 0 {
		if err := s.complete(); err != nil {
			return source{}, err
		}
	}
	found := s.within(s.query.All)
	var err error
	if r.Typed, err = s.there(found); err != nil || len(asked) == 0 {
		return found, err
	}
	whole, err := s.there(s.within(true))
	if whole || err != nil { // near words are for what is not there: so what has all as typed stands before others
		return found, err
	}
	fixed, err := s.correct(asked)
	if err != nil || fixed == "" {
		return found, err
	}
	found = s.within(s.query.All)
	if there, err := s.there(found); !there || err != nil {
		return found, err
	}
	r.Fixed = strings.TrimSpace(fixed)
	return found, nil
}

// within returns the documents that have the query's words, or, with all, all of them.
func (s *scan) within(all bool) source {
	var texts []string
	s.without = nil
	for _, language := range s.languages {
		stops := true
		each(s.clauses, func(c *clause) {
			for _, word := range c.words {
				stops = stops && s.store.Words.Read(language, word).Stop
			}
		})
		if text := s.expression(language, s.clauses, all, stops); text != "" {
			texts = append(texts, text)
		}
	}
	slices.Sort(s.without)
	s.without = slices.Compact(s.without)
	found := s.documents(join(texts, " OR "))
	everything := len(typed(s.clauses)) == 0 && (len(s.without) > 0 || strings.TrimSpace(s.query.Text) == Everything)
	if len(texts) == 0 && !everything {
		return found.and(condition{text: "0"})
	}
	return found
}

func (s *scan) there(from source) (bool, error) {
	found, err := s.numbers(from, "1", " LIMIT 1")
	return len(found) > 0, err
}

// complete adds to the last word those that begin with it.
func (s *scan) complete() error {
	var last *clause
	each(s.clauses, func(c *clause) { last = c })
	for _, language := range s.languages {
		ends, err := s.beginning(language, last.words[len(last.words)-1], maxEnds)
		if err != nil {
			return err
		}
		for _, n := range ends {
			last.also(language, n.word)
		}
	}
	return nil
}

// beginning returns the words of a language that begin with a prefix, those of most documents
// first.
func (s *scan) beginning(language, prefix string, size int) ([]near, error) {
	return s.words(" ORDER BY documents DESC, word LIMIT ?", "language = ? AND word >= ? AND word < ?", language, prefix, prefix+"\U0010ffff", size)
}

func (s *scan) words(order, where string, args ...any) ([]near, error) {
	into := func(n *near) []any { return []any{&n.word, &n.docs} }
	text := "SELECT word, documents FROM word WHERE customer = ? AND " + where + order
	return store.Rows(s.tx, into, text, append([]any{s.customer}, args...)...)
}

// correct gives the words that no document has those that are near to them, and the last those
// that begin with it. It returns the text with the nearest in place of each, "" without any.
func (s *scan) correct(asked []string) (string, error) {
	fixed, at, changed := slices.Clone(asked), 0, false
	const two = "SELECT 1 + (count(*) = ?2) FROM (SELECT 1 FROM document WHERE customer = ?1 LIMIT ?2)"
	least, failed := store.Column[int](s.tx, two, s.customer, enough)
	each(s.clauses, func(c *clause) {
		first := at
		at += len(c.words)
		if len(c.words) != 1 || failed != nil {
			return
		}
		there, err := s.known(c)
		if there || err != nil {
			failed = err
			return
		}
		best := near{edits: 9}
		for _, language := range s.languages {
			all, err := s.near(language, c.words[0])
			if err == nil {
				all, err = s.spread(all, least[0])
			}
			if err == nil && at == len(asked) && !s.query.begin && len(c.words[0]) > 2 {
				var ends []near
				ends, err = s.beginning(language, c.words[0], maxEnds)
				all = append(all, ends...)
			}
			if err == nil {
				all, err = s.present(language, all)
			}
			if err != nil {
				failed = err
				return
			}
			for _, n := range all {
				c.also(language, n.word)
			}
			if len(all) > 0 && all[0].compare(best) < 0 {
				best, changed = all[0], true
				fixed[first] = best.word
			}
		}
	})
	if !changed {
		return "", failed
	}
	return strings.Join(fixed, " "), failed
}

// spread returns those of the words that so many documents have, in whatever languages.
func (s *scan) spread(all []near, least int) (kept []near, err error) {
	for _, n := range all {
		docs := []int{n.docs}
		if n.docs < least {
			docs, err = store.Column[int](s.tx, "SELECT sum(documents) FROM word WHERE customer = ? AND word = ?", s.customer, n.word)
		}
		if err != nil {
			return nil, err
		}
		if docs[0] >= least {
			kept = append(kept, n)
		}
	}
	return kept, nil
}

// known reports whether a document has a word, or one that it stands for.
func (s *scan) known(c *clause) (bool, error) {
	alone := *s
	alone.clauses, alone.without = []clause{*c}, nil
	alone.clauses[0].not, alone.clauses[0].column = false, ""
	for _, language := range s.languages {
		if w := s.store.Words.Read(language, c.words[0]); w.Stop || w.Exact == "" {
			return true, nil
		}
	}
	return alone.there(alone.within(false))
}

// present returns those of the words that documents within the query's filters have, maxNear
// at most.
func (s *scan) present(language string, all []near) (there []near, err error) {
	for _, n := range all {
		if len(there) == maxNear {
			break
		}
		found, err := s.there(s.documents(anyOf([][]string{{store.Term(s.customer, s.store.Words.Read(language, n.word))}})))
		if err != nil {
			return nil, err
		}
		if found {
			there = append(there, n)
		}
	}
	return there, nil
}

// near returns the words of a language that differ from a word by few letters: one, or two in
// words of six and more, where one half is as typed. Those that differ least come first.
func (s *scan) near(language, word string) (all []near, err error) {
	letters := []rune(word)
	half := (len(letters) - 1) / 2
	if len(letters) < 3 || len(word) > words.MaxTerm || strings.ContainsFunc(word, unicode.IsDigit) {
		return nil, nil
	}
	most := 1 + min(len(letters)/6, 1)
	for column, typed := range map[string]string{"word": word, "back(word)": store.Back(word)} {
		begin := string([]rune(typed)[:half])
		found, err := s.words("", "language = ? AND "+column+" >= ? AND "+column+" < ? AND length(word) BETWEEN ? AND ?",
			language, begin, begin+"\U0010ffff", len(letters)-most, len(letters)+most)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			n.edits = edits(letters, []rune(n.word))
			if n.edits <= most {
				all = append(all, n)
			}
		}
	}
	slices.SortFunc(all, near.compare)
	return slices.Compact(all), nil
}

// edits returns how many letters of two words differ, two that are swapped for one.
func edits(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		for j := range rows[i] {
			if i == 0 || j == 0 {
				rows[i][j] = i + j
				continue
			}
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

// Completion is what begins with the last word of a text.
type Completion struct {
	Result
	Texts []string // the text with its last word completed, most frequent first
	Count int      // how many completions there are
}

// Complete returns completions of the query's text, texts at most, and the documents
// that have all its words, the last one completed.
func Complete(ctx context.Context, in *store.Store, customer int64, q Query, texts int) (c Completion, err error) {
	q.All, q.begin = true, true
	c.Result, err = Search(ctx, in, customer, q)
	p := parser{text: q.Text, left: maxQueryWords}
	asked := typed(p.clauses(0))
	if err != nil || len(asked) == 0 {
		return c, err
	}
	last := len(asked) - 1
	begin, end := asked[last], asked[last]+"\U0010ffff"
	if c.Fixed != "" {
		asked = strings.Fields(c.Fixed)
	}
	const ends = " FROM word WHERE customer = ? AND word >= ? AND word < ?"
	err = in.View(ctx, func(tx *store.Tx) error {
		found, err := store.Column[string](tx, "SELECT word"+ends+" GROUP BY word ORDER BY sum(documents) DESC, word LIMIT ?", customer, begin, end, texts)
		if err != nil {
			return err
		}
		for _, word := range found {
			c.Texts = append(c.Texts, strings.Join(append(asked[:last:last], word), " "))
		}
		counts, err := store.Column[int](tx, "SELECT count(DISTINCT word)"+ends, customer, begin, end)
		c.Count = append(counts, 0)[0]
		return err
	})
	return c, err
}
