package search

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	index "github.com/blevesearch/bleve_index_api"

	"sitesync/internal/service/search/words"
)

const (
	maxVocabulary = 500_000 // words of a language whose other forms and spellings are known
	maxNear       = 40      // words that a mistyped one is taken for
	maxEnds       = 20      // completions of a word that documents are searched by
)

// A vocabulary is the words of one language that documents have, or had since the index was
// opened. Words with digits are not in it: they have neither forms nor spellings.
type vocabulary struct {
	mu    sync.RWMutex
	words []known
	at    map[string]int      // in words
	forms map[string][]string // the words by the term that joins them
	tails map[string][]string // the terms by their last letters; nil where the language makes no compounds
}

type known struct {
	word    string
	letters uint64 // that it has without accents, to tell quickly which words can't be near
	docs    int    // that have it, not less those that no longer do
	titles  int
}

// vocabularies are those of all languages.
type vocabularies struct {
	mu  sync.Mutex
	all map[string]*vocabulary
}

func (all *vocabularies) of(language string) *vocabulary {
	all.mu.Lock()
	defer all.mu.Unlock()
	v := all.all[language]
	if v == nil {
		v = &vocabulary{at: map[string]int{}, forms: map[string][]string{}}
		if words.Compounds(language) {
			v.tails = map[string][]string{}
		}
		all.all[language] = v
	}
	return v
}

// add adds the words of one document, each with the term that joins it with others.
func (v *vocabulary) add(all []spelling) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range all {
		at, there := v.at[s.word]
		if !there {
			if len(v.words) == maxVocabulary || strings.IndexFunc(s.word, unicode.IsDigit) >= 0 {
				continue
			}
			word := strings.Clone(s.word)
			at = len(v.words)
			v.at[word] = at
			v.words = append(v.words, known{word: word, letters: letters(words.Fold(word))})
			if v.tails != nil && v.forms[s.term] == nil {
				v.tails[tail(s.term)] = append(v.tails[tail(s.term)], s.term)
			}
			v.forms[s.term] = append(v.forms[s.term], word)
		}
		v.words[at].docs += s.docs
		v.words[at].titles += s.titles
	}
}

// A spelling is a word, what it is found by, and how many documents and titles have it.
type spelling struct {
	word, term   string
	docs, titles int
}

// joined returns the words that terms join.
func (v *vocabulary) joined(terms []string) (all []string) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	for _, term := range terms {
		all = append(all, v.forms[term]...)
	}
	return all
}

// A near word is one that may be meant by another.
type near struct {
	word   string
	edits  int // letters that differ, two that are swapped for one
	titles int
	docs   int
}

// compare orders near words: those that differ least come first, then those that are in
// most titles, then in most documents.
func (n near) compare(other near) int {
	return cmp.Or(cmp.Compare(n.edits, other.edits), cmp.Compare(other.titles, n.titles), cmp.Compare(other.docs, n.docs), cmp.Compare(n.word, other.word))
}

// beginning returns the words that begin with a prefix, those of most titles first, and
// how many there are.
func (v *vocabulary) beginning(prefix string, size int) (all []near, total int) {
	return v.best(size, func(k known) (int, bool) { return 0, strings.HasPrefix(k.word, prefix) })
}

// near returns the words that differ from a word, or begin with what differs from it, by
// few letters: one, or two in words of six and more. Accents that are missing don't count.
// Those that differ least come first.
func (v *vocabulary) near(word string, begin bool) []near {
	length := utf8.RuneCountInString(word)
	if length < 3 || len(word) > words.MaxTerm {
		return nil
	}
	folded := words.Fold(word)
	most, mine, typed := 1+min(length/6, 1), letters(folded), []rune(folded)
	all, _ := v.best(maxNear, func(k known) (int, bool) {
		if k.word != word && few(mine&^k.letters, most) && (begin || few(k.letters&^mine, most)) {
			edits := distance(typed, []rune(words.Fold(k.word)), most, begin)
			return edits, edits <= most && (!begin || !strings.HasPrefix(k.word, word))
		}
		return 0, false
	})
	return all
}

// best returns the first of the words that match, size at most, and how many there are.
func (v *vocabulary) best(size int, match func(known) (edits int, ok bool)) (all []near, total int) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	for _, k := range v.words {
		if edits, ok := match(k); ok {
			all = append(all, near{k.word, edits, k.titles, k.docs})
		}
	}
	slices.SortFunc(all, near.compare)
	return all[:min(size, len(all))], len(all)
}

// letters returns a bit for each letter of a word; some share one.
func letters(word string) (all uint64) {
	for _, c := range word {
		all |= 1 << (uint32(c) % 64)
	}
	return all
}

// few reports whether no more than so many bits are set.
func few(bits uint64, most int) bool {
	for ; bits != 0 && most >= 0; most-- {
		bits &= bits - 1
	}
	return bits == 0 && most >= 0
}

// learn reads the words of an index that was opened.
func (x *Index) learn() error {
	advanced, err := x.bleve.Advanced()
	if err != nil {
		return err
	}
	reader, err := advanced.Reader()
	if err != nil {
		return err
	}
	defer reader.Close()
	fields, err := reader.Fields()
	if err != nil {
		return err
	}
	for _, language := range languagesOf(fields) {
		for _, title := range []bool{false, true} {
			if err := x.learnField(reader, language, title); err != nil {
				return err
			}
		}
	}
	return nil
}

// learnField reads the words of one language's texts, or titles.
func (x *Index) learnField(reader index.IndexReader, language string, titles bool) error {
	field := fieldText
	if titles {
		field = fieldTitle
	}
	dict, err := reader.FieldDict(field + language)
	if err != nil {
		return err
	}
	defer dict.Close()
	v := x.words.of(language)
	for {
		entry, err := dict.Next()
		if err != nil || entry == nil {
			return err
		}
		s := spelling{word: entry.Term, docs: int(entry.Count)} //nolint:gosec // of documents
		if titles {
			s.titles, s.docs = s.docs, 0
		}
		if terms, stop := x.terms(language, entry.Term); len(terms) == 1 && !stop {
			s.term = terms[0]
			v.add([]spelling{s})
		}
	}
}
