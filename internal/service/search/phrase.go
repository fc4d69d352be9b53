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

// standing takes out the documents in which a phrase of the query does not stand as typed,
// or something stands that must not. Where words stand is not indexed: texts are read.
func (s *scan) standing(r *ranked) error {
	for _, some := range s.asked.without {
		found, err := s.together(some, len(some) > 1)
		if err == nil && len(some) > 1 {
			found, err = s.stands(*r, found, some)
		}
		if err != nil {
			return err
		}
		r.docs = slices.DeleteFunc(r.docs, func(doc uint32) bool { return found[doc] })
	}
	for _, some := range s.asked.phrases {
		found, err := s.together(some, true)
		if err == nil {
			found, err = s.stands(*r, found, some)
		}
		if err != nil {
			return err
		}
		r.docs = slices.DeleteFunc(r.docs, func(doc uint32) bool { return !found[doc] })
	}
	r.typed = min(r.typed, len(r.docs))
	return nil
}

// together returns the documents that have all of the words, as they stand or in any form.
// Stop words beside others are taken to be there.
func (s *scan) together(some []string, stand bool) (map[uint32]bool, error) {
	all := map[uint32]bool{}
	for _, language := range s.langs {
		found := map[uint32]bool(nil)
		beside := slices.ContainsFunc(some, func(word string) bool { _, stop := s.index.terms(language, word); return !stop })
		for _, word := range some {
			terms, stop := s.index.terms(language, word)
			if stop && beside {
				continue
			}
			forms := []string{word}
			if !stand || len(terms) != 1 {
				forms = append(s.index.words.of(language).joined(terms), terms...)
			}
			have, err := s.count(language, forms, stop)
			if err != nil {
				return nil, err
			}
			next := map[uint32]bool{}
			for _, m := range have {
				if found == nil || found[m.doc] {
					next[m.doc] = true
				}
			}
			found = next
		}
		for doc := range found {
			all[doc] = true
		}
	}
	return all, nil
}

// stands returns those of the documents found, as far as they are in question, in which
// words stand one behind the other.
func (s *scan) stands(r ranked, in map[uint32]bool, some []string) (map[uint32]bool, error) {
	docs, ids, err := s.view.first(slices.DeleteFunc(slices.Clone(r.docs), func(doc uint32) bool { return !in[doc] }), s.index.phrases, byScore(r))
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
		if slices.ContainsFunc(texts, func(text string) bool { return hasPhrase(text, some) }) {
			found[numbers[key]] = true
		}
	})
	return found, err
}

// hasPhrase reports whether words stand one behind the other in a text.
func hasPhrase(text string, some []string) bool {
	text = words.Lower(words.Normal(text))
	if !strings.Contains(text, some[0]) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(some[0])
	found := len(some) == 1 && unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) // scripts without spaces
	var last []string
	words.Each(text, func(start, end int) {
		last = append(last, text[start:end])
		last = last[max(0, len(last)-len(some)):]
		found = found || slices.Equal(last, some)
	})
	return found
}
