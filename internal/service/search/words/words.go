package words

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/standard"
	"github.com/blevesearch/bleve/v2/analysis/lang/da"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/no"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
	"github.com/blevesearch/bleve/v2/registry"
	"golang.org/x/text/unicode/norm"
)

// Bounds and names of the terms.
const (
	MaxTerm = 64   // bytes of a term; longer words are not text
	Other   = "xx" // the language of texts in none that has rules

	// maxRun is how long a run of letters is read as one word, in bytes: some stemmers take the
	// square of that in time, and scripts without spaces are read a part at a time as well.
	maxRun    = 4 * MaxTerm
	memoWords = 50_000 // of a language that a reader remembers
)

// Language returns the language by whose rules a document is read, of its tag.
func Language(tag, _ string) string { return Of(tag) }

// Of returns the language of a tag such as "de-CH", or Other.
func Of(tag string) string {
	primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	primary, _, _ = strings.Cut(primary, "_")
	switch primary {
	case en.AnalyzerName, de.AnalyzerName, da.AnalyzerName, sv.AnalyzerName, no.AnalyzerName, fr.AnalyzerName, es.AnalyzerName:
		return primary
	case "nb", "nn":
		return no.AnalyzerName
	}
	return Other
}

// Reader makes terms of text. It remembers those of each word, since the words of a
// language are few and stemming costs more than all the rest. One goroutine at a time.
type Reader struct {
	cache *registry.Cache
	memo  map[string]map[string]entry // by language and word
}

type entry struct {
	terms []string
	stop  bool
}

// NewReader returns a reader that remembers nothing yet.
func NewReader() *Reader {
	return &Reader{cache: registry.NewCache(), memo: map[string]map[string]entry{}}
}

// Terms returns what a word, in lower case, is found by in a language, several for scripts
// without spaces; of a stop word the word itself, and that it is one.
func (r *Reader) Terms(language, word string) (terms []string, stop bool) {
	known, ok := r.memo[language][word]
	if ok {
		return known.terms, known.stop
	}
	tokens := r.analyzer(language).Analyze([]byte(word))
	for _, token := range tokens {
		if len(token.Term) > 0 && len(token.Term) <= MaxTerm {
			known.terms = append(known.terms, string(token.Term))
		}
	}
	if len(word) <= MaxTerm {
		if len(tokens) == 0 {
			known = entry{[]string{strings.Clone(word)}, true}
		}
		if r.memo[language] == nil || len(r.memo[language]) >= memoWords {
			r.memo[language] = map[string]entry{}
		}
		r.memo[language][strings.Clone(word)] = known
	}
	return known.terms, known.stop
}

func (r *Reader) analyzer(language string) analysis.Analyzer {
	name := language
	if language == Other {
		name = standard.Name
	}
	analyzer, err := r.cache.AnalyzerNamed(name)
	if err != nil {
		panic(fmt.Errorf("the analyser %s: %w", name, err)) // all are compiled in
	}
	return analyzer
}

// Normal returns text in the form that words are compared in.
func Normal(text string) string { return norm.NFC.String(text) }

// Each visits the words of a text: runs of letters, digits and marks, with the
// apostrophes inside them; of a run longer than maxRun its parts.
func Each(text string, visit func(start, end int)) {
	start := -1
	for i, c := range text {
		switch {
		case isWord(c):
			if start >= 0 && i-start >= maxRun {
				visit(start, i)
				start = -1
			}
			if start < 0 {
				start = i
			}
		case start >= 0 && (c == '\'' || c == '’') && strings.IndexFunc(text[i+utf8.RuneLen(c):], isWord) == 0:
		case start >= 0:
			visit(start, i)
			start = -1
		}
	}
	if start >= 0 {
		visit(start, len(text))
	}
}

func isWord(c rune) bool {
	if c < utf8.RuneSelf {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return c != utf8.RuneError && (unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsMark(c))
}
