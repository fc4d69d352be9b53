package search

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"strconv"
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
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/registry"
	index "github.com/blevesearch/bleve_index_api"
	"golang.org/x/text/unicode/norm"
)

// Key names one document.
type Key struct{ Crawler, ID string }

// Document is a document as it is to be found.
type Document struct {
	Key
	Language string              // tag such as "de-CH"
	File     bool                // a file's, which ranks below pages
	Fields   map[string][]string // by name as stored
}

// The parts of a document whose words are told apart, each a field of the index for
// every language: fields named by these and the language.
const (
	partTitle = "title."
	partLead  = "lead."
	partBody  = "body."
	partRest  = "rest."
)

// The fields of the index that have no language.
const (
	fieldCrawler = "crawler"
	fieldPage    = "page"   // a document's ID and its Url
	fieldWords   = "words"  // the words of titles and leads as they stand, in lower case
	fieldValues  = "values" // and the number of a shelf: NAME, 0, VALUE
)

const (
	// A document's values are kept on one of shelves many fields by their name, so that no
	// documents make more fields than the index can hold.
	shelves = 64

	// maxValue is how long a value may be that is filtered by, counted or sorted by, in bytes.
	// Bodies and leads don't count: a dictionary of long texts that are all different costs as
	// much as their words.
	maxValue   = 256
	fileLength = 4       // how many times as long a file counts as it is: it ranks lower by that
	maxWords   = 100_000 // of one field that are indexed
)

func shelf(name string) string {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(name)) // never errs
	return fieldValues + strconv.Itoa(int(sum.Sum32()%shelves))
}

func valueTerm(name, value string) string { return name + "\x00" + value }

// id returns the key as the index knows it: a crawler's ID may be any bytes.
func (k Key) id() string { return url.PathEscape(k.Crawler) + " " + k.ID }

func parseID(id string) Key {
	crawler, rest, _ := strings.Cut(id, " ")
	crawler, _ = url.PathUnescape(crawler) // id escaped it
	return Key{crawler, rest}
}

// partOf returns the part that a field's words are of; "" for none.
func partOf(name string) string {
	switch name {
	case "Title":
		return partTitle
	case "Description":
		return partLead
	case "Content":
		return partBody
	case "Language":
		return ""
	}
	return partRest
}

// entry returns the document as the index takes it.
func (r *reader) entry(doc Document) *document.Document {
	language := languageOf(doc.Language)
	fields := map[string]*field{}
	open := func(name string, options index.FieldIndexingOptions) *field {
		if fields[name] == nil {
			text := document.NewTextFieldCustom(name, nil, nil, options|index.IndexField, nil)
			fields[name] = &field{TextField: text, terms: index.TokenFrequencies{}}
		}
		return fields[name]
	}
	for part := range weights() {
		open(part+language, 0) // also where it is empty: segments of equal fields merge faster
	}
	seen := open(fieldWords, 0)
	open(fieldCrawler, index.SkipFreqNorm).add(doc.Crawler, 1)
	for _, page := range append(doc.Fields["Url"], doc.ID) {
		open(fieldPage, index.SkipFreqNorm).add(page, 1)
	}
	for name, values := range doc.Fields {
		part := partOf(name)
		for _, value := range values {
			if part != "" {
				r.read(fields[part+language], seen, language, part, value)
			}
			if part != partBody && part != partLead && len(value) <= maxValue {
				open(shelf(name), index.SkipFreqNorm|index.DocValues).add(valueTerm(name, value), 1)
			}
		}
	}
	entry := document.NewDocument(doc.id())
	for _, f := range fields {
		if doc.File {
			f.length *= fileLength
		}
		entry.AddField(f)
	}
	return entry
}

// read adds the terms of a text to its part's field, and its words to those seen.
func (r *reader) read(f, seen *field, language, part, text string) {
	text, count := normal(text), 0
	words(text, func(start, end int) {
		count++
		if count > maxWords {
			return
		}
		word := strings.ToLower(text[start:end])
		for _, term := range r.terms(language, word) {
			f.count(term)
		}
		if (part == partTitle || part == partLead) && len(word) <= maxTerm {
			seen.add(word, 2)
		}
	})
}

// field is a field of an entry whose terms are made already: only its name and its options
// are those of a TextField.
type field struct {
	*document.TextField
	length int
	terms  index.TokenFrequencies
}

// add adds a term that is not there yet, as if it stood so many times. Words seen are
// added twice: a term that stands in one document once is kept in a short form, after
// which the engine's dictionary miscounts other terms.
func (f *field) add(term string, times int) {
	if f.terms[term] == nil {
		for range times {
			f.count(term)
		}
	}
}

// count adds a term as often as it is called.
func (f *field) count(term string) {
	f.length++
	if f.terms[term] == nil {
		f.terms[term] = &index.TokenFreq{}
	}
	f.terms[term].SetFrequency(f.terms[term].Frequency() + 1)
}

func (f *field) Analyze()                                         {}
func (f *field) AnalyzedLength() int                              { return f.length }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.terms }
func (f *field) Size() int                                        { return 0 }

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
