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
	Language string            // tag such as "de-CH", or name
	File     bool              // a file's, which ranks below pages
	Fields   map[string]string // by name as stored
}

// The terms of a document stand in two fields of the index for its language: those of its
// title, and those of all its fields. A third has the words that they were made of.
const (
	fieldTitle = "title."
	fieldText  = "text."
	fieldWords = "words."
)

// The fields of the index that have no language.
const (
	fieldPage   = "page"   // a document's ID and its Url
	fieldValues = "values" // and the number of a shelf: NAME, 0, VALUE
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
	// Also where they are empty: segments of equal fields merge faster.
	texts := texts{open(fieldTitle+language, 0), open(fieldText+language, 0), open(fieldWords+language, index.SkipFreqNorm)}
	for _, page := range []string{doc.Fields["Url"], doc.ID} {
		if page != "" {
			open(fieldPage, index.SkipFreqNorm).add(page)
		}
	}
	for name, value := range doc.Fields {
		if name != "Language" {
			texts.read(r, language, value, name == "Title")
		}
		if name != "Content" && name != "Description" && len(value) <= maxValue {
			open(shelf(name), index.SkipFreqNorm|index.DocValues).add(valueTerm(name, value))
		}
	}
	if doc.File {
		texts.title.words *= fileLength
		texts.text.words *= fileLength
	}
	entry := document.NewDocument(doc.id())
	for _, f := range fields {
		entry.AddField(f)
	}
	return entry
}

// texts are the fields of a document's words.
type texts struct{ title, text, words *field }

// read adds the words of a value, which is a title or not. Stop words count in titles alone.
func (t texts) read(r *words.Reader, language, value string, title bool) {
	value, count := words.Lower(value), 0
	for start, end := range words.Each(value) {
		count++
		if count > maxWords {
			return
		}
		word := value[start:end]
		terms, stop := r.Terms(language, word)
		for _, term := range terms {
			if title {
				t.title.count(term)
			}
			if stop && title {
				t.title.words-- // of what titles are about they tell nothing
			}
			if stop {
				continue
			}
			t.text.count(term)
		}
		if len(terms) == 1 && !stop && len(word) <= words.MaxTerm {
			t.words.add(word)
		}
	}
}

// field is a field of an entry whose terms are made already: only its name and its options
// are those of a TextField.
type field struct {
	*document.TextField
	words int
	terms index.TokenFrequencies
}

func frequency(n int) *index.TokenFreq {
	f := &index.TokenFreq{}
	f.SetFrequency(n)
	return f
}

// add adds a term that may be there.
func (f *field) add(term string) {
	if f.terms[term] == nil {
		f.terms[term] = frequency(1)
	}
}

// count adds a term as often as it is called.
func (f *field) count(term string) {
	f.words++
	if known := f.terms[term]; known != nil {
		known.SetFrequency(known.Frequency() + 1)
	} else {
		f.terms[term] = frequency(1)
	}
}

func (f *field) Analyze()                                         {}
func (f *field) AnalyzedLength() int                              { return max(1, f.words) }
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.terms }
func (f *field) Size() int                                        { return 0 }
