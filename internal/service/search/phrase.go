package search

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"sitesync/internal/service/search/words"
)

// Texts visits the texts of those of the documents that are there.
type Texts func(ctx context.Context, keys []Key, visit func(key Key, texts []string)) error

// checkText takes out the documents in which a phrase of the query does not stand as typed,
// or something stands that must not. Where words stand is not indexed: texts are read.
func (s *scan) checkText() error {
	for n, words := range slices.Concat(s.parsed.without, s.parsed.phrases) {
		wanted := n >= len(s.parsed.without)
		asTyped := wanted || len(words) > 1
		found, err := s.together(words)
		if err == nil && asTyped {
			found, err = s.inOrder(words, found)
		}
		if err != nil {
			return err
		}
		s.docs = slices.DeleteFunc(s.docs, func(doc uint32) bool { return found[doc] != wanted })
	}
	s.typed = min(s.typed, len(s.docs))
	return nil
}

// together returns which documents have all of the words in any form. Stop words are taken
// to be there, unless there are no others.
func (s *scan) together(all []string) (map[uint32]bool, error) {
	found := map[uint32]bool{}
	for _, b := range s.branches {
		isStop := func(word string) bool { _, stop := s.index.terms(b.language, word); return stop }
		sought := slices.DeleteFunc(slices.Clone(all), isStop)
		if len(sought) == 0 {
			sought = all
		}
		var matches []match
		for n, word := range sought {
			terms, stop := s.index.terms(b.language, word)
			have, err := s.count(b, slices.Clone(terms), stop)
			if err != nil {
				return nil, err
			}
			if n > 0 {
				have = both(matches, have)
			}
			matches = have
		}
		for _, m := range matches {
			found[m.doc] = true
		}
	}
	return found, nil
}

// inOrder returns in which of the documents the words stand one behind the other, of those
// that are found so far.
func (s *scan) inOrder(words []string, among map[uint32]bool) (map[uint32]bool, error) {
	docs, ids, err := s.view.first(slices.DeleteFunc(slices.Clone(s.docs), func(doc uint32) bool { return !among[doc] }), s.index.phrases, s.byScore)
	if err != nil || s.query.Texts == nil {
		return nil, err
	}
	numbers, keys := map[Key]uint32{}, make([]Key, len(docs))
	for i, id := range ids {
		keys[i] = parseID(id)
		numbers[keys[i]] = docs[i]
	}
	found := map[uint32]bool{}
	err = s.query.Texts(s.ctx, keys, func(key Key, texts []string) {
		if slices.ContainsFunc(texts, func(text string) bool { return hasPhrase(text, words) }) {
			found[numbers[key]] = true
		}
	})
	return found, err
}

// hasPhrase reports whether words stand one behind the other in a text.
func hasPhrase(text string, phrase []string) bool {
	text = words.Lower(text)
	if !strings.Contains(text, phrase[0]) { // most texts
		return false
	}
	begin, _ := utf8.DecodeRuneInString(phrase[0])
	if len(phrase) == 1 && unicode.In(begin, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) { // scripts without spaces
		return true
	}
	var last []string
	for start, end := range words.Each(text) {
		last = append(last, text[start:end])
		last = last[max(0, len(last)-len(phrase)):]
		if slices.Equal(last, phrase) {
			return true
		}
	}
	return false
}
