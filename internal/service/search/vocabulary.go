package search

import (
	"cmp"
	"math/bits"
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
	mu     sync.RWMutex
	words  []known
	at     map[string]int      // in words
	sorted []int               // in words, in the order of the words
	forms  map[string][]string // the words by the term that joins them
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
		all.all[language] = v
	}
	return v
}

// A spelling is a word of some documents, what it is found by, and how many of them and of
// their titles have it.
type spelling struct {
	term         string
	docs, titles int
}

// add adds the words of documents.
func (v *vocabulary) add(all map[string]*spelling) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for word, s := range all {
		at, there := v.at[word]
		if !there {
			if len(v.words) == maxVocabulary {
				continue
			}
			word = strings.Clone(word)
			at = len(v.words)
			v.at[word] = at
			v.words = append(v.words, known{word: word, letters: letters(words.Fold(word))})
			v.forms[s.term] = append(v.forms[s.term], word)
		}
		v.words[at].docs += s.docs
		v.words[at].titles += s.titles
	}
	sorted := len(v.sorted)
	for at := range v.words[sorted:] {
		v.sorted = append(v.sorted, sorted+at)
	}
	byWord := func(a, b int) int { return strings.Compare(v.words[a].word, v.words[b].word) }
	slices.SortFunc(v.sorted[sorted:], byWord)
	v.sorted = merged(v.sorted[:sorted], v.sorted[sorted:], byWord)
}

// merged returns two sorted lists as one.
func merged(a, b []int, compare func(a, b int) int) []int {
	if len(b) == 0 {
		return a
	}
	all := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if compare(a[0], b[0]) < 0 {
			all, a = append(all, a[0]), a[1:]
		} else {
			all, b = append(all, b[0]), b[1:]
		}
	}
	return append(append(all, a...), b...)
}

// joined returns the words that terms join.
func (v *vocabulary) joined(terms ...string) (all []string) {
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

// spelled returns the words themselves.
func spelled(all []near) []string {
	words := make([]string, len(all))
	for i, n := range all {
		words[i] = n.word
	}
	return words
}

// compare orders near words: those that differ least come first, then those that are in
// most titles, then in most documents.
func (n near) compare(other near) int {
	return cmp.Or(cmp.Compare(n.edits, other.edits), cmp.Compare(other.titles, n.titles), cmp.Compare(other.docs, n.docs), cmp.Compare(n.word, other.word))
}

// beginning returns the words that begin with a prefix, those of most titles first, and
// how many there are.
func (v *vocabulary) beginning(prefix string, size int) (all []near, total int) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	from, _ := slices.BinarySearchFunc(v.sorted, prefix, func(at int, prefix string) int { return strings.Compare(v.words[at].word, prefix) })
	for _, at := range v.sorted[from:] {
		k := v.words[at]
		if !strings.HasPrefix(k.word, prefix) {
			break
		}
		total++
		all = insert(all, size, near{k.word, 0, k.titles, k.docs}, near.compare)
	}
	return all, total
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
	var all []near
	v.mu.RLock()
	defer v.mu.RUnlock()
	for _, k := range v.words {
		if bits.OnesCount64(mine&^k.letters) > most || !begin && bits.OnesCount64(k.letters&^mine) > most || k.word == word || begin && strings.HasPrefix(k.word, word) {
			continue
		}
		if edits := distance(typed, []rune(words.Fold(k.word)), most, begin); edits <= most {
			all = insert(all, maxNear, near{k.word, edits, k.titles, k.docs}, near.compare)
		}
	}
	return all
}

// letters returns a bit for each letter of a word; some share one.
func letters(word string) (all uint64) {
	for _, c := range word {
		all |= 1 << (uint32(c) % 64)
	}
	return all
}

// learn reads the words of an index that was opened.
func (x *Index) learn() error {
	reader, err := x.reader()
	if err != nil {
		return err
	}
	defer func() { _ = reader.Close() }()
	fields, err := reader.Fields()
	if err != nil {
		return err
	}
	for _, field := range fields {
		if err := x.learnField(reader, field); err != nil {
			return err
		}
	}
	return nil
}

// learnField reads the words of one language's texts, or titles.
func (x *Index) learnField(reader index.IndexReader, field string) error {
	language, isText := strings.CutPrefix(field, fieldText)
	if !isText {
		var title bool
		language, title = strings.CutPrefix(field, fieldTitle)
		if !title {
			return nil
		}
	}
	dict, err := reader.FieldDict(field)
	if err != nil {
		return err
	}
	defer func() { _ = dict.Close() }()
	all := map[string]*spelling{}
	for {
		entry, err := dict.Next()
		if err != nil {
			return err
		}
		if entry == nil {
			x.words.of(language).add(all)
			return nil
		}
		if s := spell(x.asker, language, entry.Term); s != nil {
			if isText {
				s.docs = int(entry.Count) //nolint:gosec // of documents
			} else {
				s.titles = int(entry.Count) //nolint:gosec // of documents
			}
			all[entry.Term] = s
		}
	}
}

// spell returns a word as the vocabulary of a language has it; nil where it has no forms
// and no spellings.
func spell(r *words.Reader, language, word string) *spelling {
	if strings.IndexFunc(word, unicode.IsDigit) >= 0 {
		return nil
	}
	if terms, stop := r.Terms(language, word); len(terms) == 1 && !stop {
		return &spelling{term: terms[0]}
	}
	return nil
}
