package search

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"sitesync/internal/service/search/words"
)

const (
	maxNear = 40 // words that a mistyped one is taken for
	maxEnds = 20 // completions of a word that documents are searched by
)

// A near word is one of documents that may be meant by another.
type near struct {
	word  string
	edits int // letters that differ, two that are swapped for one
	docs  int // that have it, or had
}

// compare orders near words: those that differ least come first, then those that are in most
// documents.
func (n near) compare(other near) int {
	return cmp.Or(cmp.Compare(n.edits, other.edits), cmp.Compare(other.docs, n.docs), cmp.Compare(n.word, other.word))
}

// spelled returns the words themselves.
func spelled(all []near) []string {
	words := make([]string, len(all))
	for i, n := range all {
		words[i] = n.word
	}
	return words
}

// beginning returns the words of a language that begin with a prefix, those of most documents
// first, and how many there are.
func (v *view) beginning(language, prefix string, size int) (all []near, total int, err error) {
	dict, err := v.reader.FieldDictPrefix(fieldWords+language, []byte(prefix))
	if err != nil {
		return nil, 0, err
	}
	err = each(dict, func(word string, docs int) {
		total++
		all = insert(all, size, near{word, 0, docs}, near.compare)
	})
	return all, total, err
}

// near returns the words of a language that differ from a word by few letters: one, or two in
// words of six and more. Those that differ least come first.
func (v *view) near(language, word string) (all []near, err error) {
	length := utf8.RuneCountInString(word)
	if length < 3 || len(word) > words.MaxTerm || strings.ContainsFunc(word, unicode.IsDigit) {
		return nil, nil
	}
	seen := map[string]bool{word: true}
	for edits := range 1 + min(length/6, 1) {
		dict, err := v.reader.(index.IndexReaderFuzzy).FieldDictFuzzy(fieldWords+language, word, edits+1, "")
		if err != nil {
			return nil, err
		}
		err = each(dict, func(other string, docs int) {
			if !seen[other] {
				all = insert(all, maxNear, near{other, edits + 1, docs}, near.compare)
			}
			seen[other] = true
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// each visits the words of a dictionary and closes it.
func each(dict index.FieldDict, visit func(word string, docs int)) error {
	defer func() { _ = dict.Close() }()
	for {
		entry, err := dict.Next()
		if entry == nil || err != nil {
			return err
		}
		visit(entry.Term, int(entry.Count)) //nolint:gosec // of documents
	}
}
