package search

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

const (
	other   = "xx" // the language of documents in none that has an analyser
	maxTerm = 64   // bytes of an indexed word; longer ones are not text

	// maxRun is how long a run of letters is read as one word, in bytes: some stemmers take the
	// square of that in time, and scripts without spaces are read a part at a time as well.
	maxRun    = 4 * maxTerm
	memoWords = 50_000 // of a language that a reader remembers
)

// languageOf returns the analyser's language for a language tag such as "de-CH".
func languageOf(tag string) string {
	primary, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
	primary, _, _ = strings.Cut(primary, "_")
	switch primary {
	case en.AnalyzerName, de.AnalyzerName, da.AnalyzerName, sv.AnalyzerName, no.AnalyzerName, fr.AnalyzerName, es.AnalyzerName:
		return primary
	case "nb", "nn":
		return no.AnalyzerName
	}
	return other
}

// reader makes terms of text. It remembers those of each word, since the words of a
// language are few and stemming costs more than all the rest. One goroutine at a time.
type reader struct {
	cache *registry.Cache
	memo  map[string]map[string][]string // by language and word
}

func newReader() *reader {
	return &reader{cache: registry.NewCache(), memo: map[string]map[string][]string{}}
}

// terms returns what a word, as it stands in the text, is found by in a language:
// nothing for a stop word, several for scripts without spaces.
func (r *reader) terms(language, word string) []string {
	known := r.memo[language]
	if terms, ok := known[word]; ok {
		return terms
	}
	var terms []string
	for _, token := range r.analyzer(language).Analyze([]byte(word)) {
		if len(token.Term) > 0 && len(token.Term) <= maxTerm {
			terms = append(terms, string(token.Term))
		}
	}
	if len(word) <= maxTerm {
		if known == nil || len(known) >= memoWords {
			known = map[string][]string{}
			r.memo[language] = known
		}
		known[strings.Clone(word)] = terms
	}
	return terms
}

func (r *reader) analyzer(language string) analysis.Analyzer {
	name := language
	if language == other {
		name = standard.Name
	}
	analyzer, err := r.cache.AnalyzerNamed(name)
	if err != nil {
		panic(fmt.Errorf("the analyser %s: %w", name, err)) // all are compiled in
	}
	return analyzer
}

// normal returns text in the form that words are compared in.
func normal(text string) string { return norm.NFC.String(text) }

// words visits the words of a text: runs of letters, digits and marks, with the
// apostrophes inside them; of a run longer than maxRun its parts.
func words(text string, visit func(start, end int)) {
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
