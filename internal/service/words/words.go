package words

import (
	"cmp"
	"iter"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

const (
	MaxTerm  = 64     // bytes; longer words are not indexed
	maxParts = 6      // maximum number of words joined to one word
	maxGroup = 4      // maximum number of digits in each group of a number such as 33 92 52 00
	maxMemo  = 50_000 // maximum number of words in the cache of a Reader
)

// Reader converts words to terms. It caches the terms, because texts repeat words and stemming is slow.
type Reader struct {
	mu   sync.Mutex
	memo map[[2]string]Word // the cache; keys are language and word
}

// Word holds the forms of a word that a full-text index needs.
type Word struct {
	Exact string // the word without accents; "" if the word is too long
	Term  string // language and stem; equal for all forms of the word
	Stop  bool   // the word is a stop word, such as "and" or "the"
}

// NewReader returns a Reader with an empty cache.
func NewReader() *Reader { return &Reader{memo: map[[2]string]Word{}} }

// Read returns the index forms of a word in a language. The word must come from text that Lower returned.
func (r *Reader) Read(language, word string) Word {
	if len(word) > MaxTerm {
		return Word{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if w, ok := r.memo[[2]string{language, word}]; ok {
		return w
	}
	key := [2]string{language, strings.Clone(word)}
	w := Word{Exact: fold(word), Term: language + ":" + fold(stem(language, word)), Stop: stops[key]}
	if len(w.Exact) > MaxTerm {
		w.Exact = ""
	}
	if len(r.memo) == maxMemo {
		clear(r.memo)
	}
	r.memo[key] = w
	return w
}

// fold removes accents and apostrophes, and replaces special letters such as ß by plain ones.
func fold(word string) string {
	bare, _, _ := transform.String(transform.Chain(norm.NFKD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), word)
	return letters.Replace(cmp.Or(bare, word)) // a word that has only accents keeps them
}

var letters = strings.NewReplacer("'", "", " ", "", "ß", "ss", "æ", "ae", "œ", "oe",
	"ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ı", "i")

// Normal returns text in Unicode normal form C, which word comparison requires.
func Normal(text string) string { return norm.NFC.String(text) }

// Lower returns text in normal form C and lower case, with plain apostrophes.
func Lower(text string) string {
	return strings.ReplaceAll(strings.ToLower(Normal(text)), "’", "'")
}

// letterByLetter are scripts without spaces between words, and emoji. Each of their characters is a word.
var letterByLetter = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.So,
}

// Each yields the start and end of each word in a text. A word is a run of letters, digits and marks; it may
// have apostrophes inside. Each emoji is a word, and so is each letter of a script without spaces.
func Each(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start := -1
		for i, c := range text + " " { // the space ends the last word
			alone := c >= utf8.RuneSelf && c != utf8.RuneError && unicode.In(c, letterByLetter...)
			inside := isWord(c)
			if start >= 0 && (c == '\'' || c == '’') {
				inside = strings.IndexFunc(text[i+utf8.RuneLen(c):], isWord) == 0
			}
			if start >= 0 && (!inside || alone) {
				if !yield(start, i) {
					return
				}
				start = -1
			}
			if alone && !yield(i, i+utf8.RuneLen(c)) {
				return
			}
			if start < 0 && !alone && isWord(c) {
				start = i
			}
		}
	}
}

func isWord(c rune) bool {
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c))
}

// Runs yields the words of a text in groups of at most maxParts. Words with a hyphen between them share a
// group, and so do short numbers with a space or a dot between them. The words of a group may be joined.
func Runs(text string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		var run []string
		last := 0
		for start, end := range Each(text) {
			word := text[start:end]
			if len(run) > 0 && (len(run) == maxParts || !joins(run[len(run)-1], text[last:start], word)) {
				if !yield(run) {
					return
				}
				run = nil
			}
			run, last = append(run, word), end
		}
		if len(run) > 0 {
			yield(run)
		}
	}
}

func joins(a, between, b string) bool {
	switch between {
	case "-", "\u2010", "\u2011", "\u00ad":
		return true
	case " ", "\u00a0", "\u202f", ".":
		return len(a) <= maxGroup && len(b) <= maxGroup && strings.Trim(a+b, "0123456789") == ""
	}
	return false
}
