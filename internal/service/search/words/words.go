package words

import (
	"cmp"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
	"golang.org/x/text/unicode/norm"
)

// MaxTerm is how long a term may be, in bytes; longer words are not text.
const MaxTerm = 64

const (
	// maxRun is how long a run of letters is read as one word, in bytes: some stemmers take the
	// square of that in time, and scripts without spaces are read a part at a time as well.
	maxRun    = 4 * MaxTerm
	memoWords = 100_000 // that a reader remembers, of all languages
)

// Reader makes terms of text. It remembers those of each word, since the words of a
// language are few and stemming costs more than all the rest. One goroutine at a time.
type Reader struct {
	memo map[memoKey]entry
	fold *asciifolding.AsciiFoldingFilter
}

type memoKey struct{ language, word string }

type entry struct {
	terms []string
	stop  bool
}

// NewReader returns a reader that remembers nothing yet.
func NewReader() *Reader { return &Reader{map[memoKey]entry{}, asciifolding.New()} }

// Terms returns what a word, as Lower returns it, is found by in a language, without accents;
// several for scripts without spaces; of a stop word the word itself, and that it is one.
func (r *Reader) Terms(tag, word string) (terms []string, stop bool) {
	if e, ok := r.memo[memoKey{tag, word}]; ok {
		return e.terms, e.stop
	}
	if len(word) > maxRun+utf8.UTFMax {
		return nil, false
	}
	var e entry
	tokens := cmp.Or(known()[tag], known()[Other]).analyzer.Analyze([]byte(strings.ToValidUTF8(word, "")))
	for _, token := range tokens {
		if term := string(r.fold.Filter(token.Term)); term != "" && len(term) <= MaxTerm {
			e.terms = append(e.terms, term)
		}
	}
	if len(word) > MaxTerm {
		return e.terms, false
	}
	if len(tokens) == 0 {
		e = entry{[]string{strings.Clone(word)}, true}
	}
	if len(r.memo) == memoWords {
		clear(r.memo)
	}
	r.memo[memoKey{strings.Clone(tag), strings.Clone(word)}] = e
	return e.terms, e.stop
}

// Normal returns text in the form that words are compared in.
func Normal(text string) string { return norm.NFC.String(text) }

// Lower returns text as Normal does, in lower case and with plain apostrophes.
func Lower(text string) string {
	return strings.ReplaceAll(strings.ToLower(Normal(text)), "’", "'")
}

// Each visits the words of a text, their beginning and end: runs of letters, digits and marks,
// with the apostrophes inside them; of a run longer than maxRun its parts.
func Each(text string) iter.Seq2[int, int] {
	return func(yield func(start, end int) bool) {
		start := -1
		for i, c := range text {
			inside := isWord(c) || start >= 0 && (c == '\'' || c == '’') && strings.IndexFunc(text[i+utf8.RuneLen(c):], isWord) == 0
			if start >= 0 && (!inside || i-start >= maxRun) {
				if !yield(start, i) {
					return
				}
				start = -1
			}
			if start < 0 && isWord(c) {
				start = i
			}
		}
		if start >= 0 {
			yield(start, len(text))
		}
	}
}

func isWord(c rune) bool {
	if c < utf8.RuneSelf {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c))
}
