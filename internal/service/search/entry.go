package search

import (
	"hash/fnv"
	"net/url"
	"strconv"
	"strings"

	"github.com/blevesearch/bleve/v2/document"
	index "github.com/blevesearch/bleve_index_api"

	"sitesync/internal/service/search/words"
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
func entry(r *words.Reader, doc Document) *document.Document {
	language := words.Of(doc.Language)
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
				read(r, fields[part+language], seen, language, part, value)
			}
			if part != partBody && part != partLead && len(value) <= maxValue {
				open(shelf(name), index.SkipFreqNorm|index.DocValues).add(valueTerm(name, value), 1)
				for _, term := range rangeTerms(name, value) {
					open(fieldRanges, index.SkipFreqNorm).add(term, 1)
				}
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
func read(r *words.Reader, f, seen *field, language, part, text string) {
	text, count := words.Normal(text), 0
	words.Each(text, func(start, end int) {
		count++
		if count > maxWords {
			return
		}
		word := strings.ToLower(text[start:end])
		for _, term := range meant(r, language, word) {
			f.count(term)
		}
		if (part == partTitle || part == partLead) && len(word) <= words.MaxTerm {
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

// meant returns what a word is found by; nothing for a stop word.
func meant(r *words.Reader, language, word string) []string {
	if terms, stop := r.Terms(language, word); !stop {
		return terms
	}
	return nil
}
