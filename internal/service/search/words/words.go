package words

import (
	"cmp"
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	tokenizer "github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
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
	split *tokenizer.UnicodeTokenizer
	memo  map[memoKey]entry
}

type memoKey struct{ language, word string }

type entry struct {
	terms []string
	stop  bool
}

// NewReader returns a reader that remembers nothing yet.
func NewReader() *Reader {
	return &Reader{split: tokenizer.NewUnicodeTokenizer(), memo: map[memoKey]entry{}}
}

// Terms returns what a word, as Lower returns it, is found by in a language, several for scripts
// without spaces; of a stop word the word itself, and that it is one.
func (r *Reader) Terms(language, word string) (terms []string, stop bool) {
	if e, ok := r.memo[memoKey{language, word}]; ok {
		return e.terms, e.stop
	}
	var e entry
	if len(word) > maxRun+utf8.UTFMax {
		return nil, false
	}
	rules := cmp.Or(known()[language], known()[Other])
	bare := rules.bare(strings.ToValidUTF8(word, ""))
	if e.stop = rules.stop[bare]; e.stop || bare == "" {
		e.terms = []string{strings.Clone(bare)}
	} else {
		e.terms = r.stems(rules, bare)
		if len(e.terms) == 1 && strings.IndexFunc(word, unicode.IsDigit) >= 0 {
			e.terms = []string{strings.Clone(word)} // it has no other forms
		}
	}
	if len(word) <= MaxTerm {
		if len(r.memo) == memoWords {
			clear(r.memo)
		}
		r.memo[memoKey{strings.Clone(language), strings.Clone(word)}] = e
	}
	return e.terms, e.stop
}

// bare returns a word without the article before its apostrophe or the possessive s after
// it, and without apostrophes.
func (r *rules) bare(word string) string {
	if !r.stop[word] {
		article, rest, _ := strings.Cut(word, "'")
		if r.articles[article] && rest != "" {
			word = rest
		}
		word = strings.ReplaceAll(strings.TrimSuffix(word, "'s"), "'", "")
	}
	return word
}

// stems returns the terms of a word that is not a stop word.
func (r *Reader) stems(rules *rules, word string) []string {
	word = rules.typed.Replace(word)
	if rules.folded {
		word = fold(word, rules.letters)
	}
	var terms []string
	for _, token := range rules.stem.Filter(r.split.Tokenize([]byte(word))) {
		if term := fold(string(token.Term), rules.letters); term != "" && len(term) <= MaxTerm {
			terms = append(terms, term)
		}
	}
	return terms
}

// unfolded are the letters that Unicode has no accent apart of.
var unfolded = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ")

// Fold returns a word without accents, as people type it who don't have its letters.
func Fold(word string) string { return fold(word, "") }

// fold returns a word without accents, but for those of letters, and with letters of the
// alphabet for ligatures and wide forms.
func fold(word, letters string) string {
	if utf8.RuneCountInString(word) == len(word) || utf8.RuneCountInString(word) == 1 {
		return word // a letter by itself has no other form
	}
	var b strings.Builder
	for _, c := range word {
		if strings.ContainsRune(letters, c) {
			b.WriteRune(c)
			continue
		}
		for _, part := range norm.NFKD.String(string(c)) {
			if part < 0x300 || part > 0x36f { // the accents
				b.WriteString(unfolded.Replace(string(part)))
			}
		}
	}
	return Normal(b.String())
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
