package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"
)

const (
	maxFixed = 40 // runes of a word that is corrected
	maxEnds  = 20 // completions of a word that documents are searched by
)

// Fix returns the text with each word that the index does not know replaced by the
// most frequent one that differs by a letter or two; false when there is nothing to fix.
func (x *Index) Fix(text string) (fixed string, changed bool, err error) {
	all := wordsOf(text)
	err = x.read(func(reader index.IndexReader) error {
		for i, word := range all {
			known, err := x.knows(reader, word)
			if err != nil || known {
				continue
			}
			near, err := nearest(reader, word)
			if err != nil {
				return err
			}
			if near != "" {
				all[i], changed = near, true
			}
		}
		return nil
	})
	return strings.Join(all, " "), changed, err
}

// read lends a reader of the index as it stands.
func (x *Index) read(look func(index.IndexReader) error) error {
	advanced, err := x.bleve.Advanced()
	if err != nil {
		return fmt.Errorf("read the search index: %w", err)
	}
	reader, err := advanced.Reader()
	if err != nil {
		return fmt.Errorf("read the search index: %w", err)
	}
	defer func() { _ = reader.Close() }()
	if err := look(reader); err != nil {
		return fmt.Errorf("read the search index's words: %w", err)
	}
	return nil
}

// knows reports whether a document has the word, or it is a stop word of a language.
func (x *Index) knows(reader index.IndexReader, word string) (bool, error) {
	fields, err := reader.Fields()
	if err != nil {
		return false, err
	}
	x.asking.Lock()
	defer x.asking.Unlock()
	for _, language := range languagesOf(fields) {
		terms := meant(x.asker, language, word)
		if len(terms) == 0 {
			return true, nil
		}
		for part := range weights() {
			if has, err := has(reader, part+language, terms[0]); has || err != nil {
				return has, err
			}
		}
	}
	return false, nil
}

// has reports whether a document that is not deleted has the term in a field.
func has(reader index.IndexReader, field, term string) (bool, error) {
	rows, err := reader.TermFieldReader(context.Background(), []byte(term), field, false, false, false)
	if err != nil {
		return false, err
	}
	count := rows.Count()
	return count > 0, rows.Close()
}

// nearest returns the most frequent of the words that differ least, "" for none: one
// letter, or two in words of six and more.
func nearest(reader index.IndexReader, word string) (string, error) {
	fuzzy, ok := reader.(index.IndexReaderFuzzy)
	length := utf8.RuneCountInString(word)
	if !ok || length < 3 || length > maxFixed {
		return "", nil
	}
	for distance := 1; distance <= 1+min(length/6, 1); distance++ {
		dict, err := fuzzy.FieldDictFuzzy(fieldWords, word, distance, "")
		if err != nil {
			return "", err
		}
		near, _, err := mostFrequent(reader, dict, 1)
		if err != nil || len(near) > 0 {
			return strings.Join(near, ""), err
		}
	}
	return "", nil
}

// mostFrequent returns the words of a dictionary that documents have, which those of
// deleted ones stay in for a while, and how many words it holds, without those left out.
func mostFrequent(reader index.IndexReader, dict index.FieldDict, size int) (words []string, total int, err error) {
	var all []index.DictEntry
	entry, err := dict.Next()
	for ; err == nil && entry != nil; entry, err = dict.Next() {
		all = append(all, *entry)
	}
	if closed := dict.Close(); err != nil || closed != nil {
		return nil, 0, cmp.Or(err, closed)
	}
	slices.SortFunc(all, func(a, b index.DictEntry) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Term, b.Term))
	})
	total = len(all)
	for _, entry := range all {
		if len(words) == size {
			break
		}
		there, err := has(reader, fieldWords, entry.Term)
		if err != nil {
			return nil, 0, err
		}
		if there {
			words = append(words, entry.Term)
		} else {
			total--
		}
	}
	return words, total, nil
}

// Completion is what begins with the last word of a text.
type Completion struct {
	Result
	Texts []string // the text with its last word completed, most frequent first
	Count int      // how many completions there are
}

// Complete returns completions of the query's text, texts at most, and the documents
// that have all its words, the last one completed.
func (x *Index) Complete(ctx context.Context, q Query, texts int) (Completion, error) {
	all := wordsOf(q.Text)
	if len(all) == 0 {
		return Completion{}, nil
	}
	before, last := all[:len(all)-1], all[len(all)-1]
	var ends []string
	count := 0
	err := x.read(func(reader index.IndexReader) error {
		dict, err := reader.FieldDictPrefix(fieldWords, []byte(last))
		if err == nil {
			ends, count, err = mostFrequent(reader, dict, max(maxEnds, texts))
		}
		return err
	})
	if err != nil {
		return Completion{}, err
	}
	q.Text, q.All = strings.Join(before, " "), true
	c := Completion{Count: count}
	for _, end := range ends[:min(len(ends), texts)] {
		if q.Crawlers != nil { // the words are those of all crawlers
			found, err := x.Search(ctx, Query{Text: end, Crawlers: q.Crawlers})
			if err != nil {
				return c, err
			}
			if found.Total == 0 {
				c.Count--
				continue
			}
		}
		c.Texts = append(c.Texts, strings.Join(append(before[:len(before):len(before)], end), " "))
	}
	q.ends = append(ends[:min(len(ends), maxEnds)], last)
	c.Result, err = x.Search(ctx, q)
	return c, err
}
