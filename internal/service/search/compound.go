package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"sitesync/internal/service/search/words"
)

const (
	minPart       = 3 // bytes of a part of a compound
	longPart      = 6 // of a word that hardly ends another by chance
	maxEnding     = 1000
	maxCompounds  = 60  // words with a part that are searched for
	compoundShare = 0.5 // what a part of a compound counts for, and a compound that stands in parts
)

// compounds returns the documents that have a word as the last part of a compound, as
// "Versicherung" is of "Krankenversicherung", or the parts of the word where it is one:
// "Ferien der Schule" for "Schulferien". Both parts must be words that documents have.
func (s *scan) compounds(b *branch, c *clause) ([]match, error) {
	if b.vocabulary.tails == nil || c.stop || len(c.phrases) != 1 || utf8.RuneCountInString(c.word) < minPart || len(c.word) > words.MaxTerm {
		return nil, nil
	}
	term := c.phrases[0][0]
	all, err := s.count(b, s.holding(b, term, len(c.word) >= longPart && len(term) > minPart), false)
	if err != nil {
		return nil, err
	}
	for cut := range c.word {
		first, last := s.part(b, c.word[:cut], 3), s.part(b, c.word[cut:], 3)
		if len(first) == 0 || len(last) == 0 {
			continue
		}
		having, err := s.count(b, s.forms(b, first), false)
		if err != nil {
			return nil, err
		}
		those, err := s.count(b, s.forms(b, last), false)
		if err != nil {
			return nil, err
		}
		all = s.besides(all, both(having, those))
		break
	}
	for i := range all {
		all[i].part, all[i].title = all[i].part*compoundShare, false
	}
	return all, nil
}

// besides returns the documents of a list and those of another that are not in it.
func (s *scan) besides(have, more []match) []match {
	if len(more) == 0 {
		return have
	}
	there := make([]bool, s.view.size)
	for _, m := range have {
		there[m.doc] = true
	}
	return append(have, slices.DeleteFunc(more, func(m match) bool { return there[m.doc] })...)
}

// holding returns the words that end with a term and begin with another word, or with
// anything where the term is of a long word; those of most documents first.
func (s *scan) holding(b *branch, term string, long bool) (forms []string) {
	for _, compound := range b.vocabulary.ending(term) {
		first := strings.TrimSuffix(compound, term)
		more := min(1, len(term)-minPart) // "Reisende" ends with "Ende", and is no compound of "Reise"
		_, stop := s.index.terms(b.language, first)
		if long && len(first) > minPart && !stop || len(s.part(b, first, more)) > 0 {
			b.terms[compound] = true
			forms = append(forms, b.vocabulary.joined(compound)...)
		}
	}
	return b.vocabulary.frequent(forms, maxCompounds)
}

// part returns the words that a part of a compound may be: those with its term that are
// shorter, as long, or longer by so many letters, as "Schule" is than "Schul".
func (s *scan) part(b *branch, part string, more int) []string {
	if len(part) < minPart {
		return nil
	}
	terms, stop := s.index.terms(b.language, part)
	if stop {
		return nil
	}
	return slices.DeleteFunc(b.vocabulary.joined(terms...), func(word string) bool { return utf8.RuneCountInString(word) > utf8.RuneCountInString(part)+more })
}

// tail is what the terms of compounds are kept by.
func tail(term string) string { return term[max(0, len(term)-minPart):] }

// ending returns longer terms that end with a term.
func (v *vocabulary) ending(term string) (all []string) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	for _, other := range v.tails[tail(term)] {
		if len(other) >= len(term)+minPart && strings.HasSuffix(other, term) && len(all) < maxEnding {
			all = append(all, other)
		}
	}
	return all
}

// frequent returns the words that most documents have.
func (v *vocabulary) frequent(words []string, most int) []string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	slices.SortFunc(words, func(a, b string) int { return cmp.Compare(v.words[v.at[b]].docs, v.words[v.at[a]].docs) })
	return words[:min(most, len(words))]
}
