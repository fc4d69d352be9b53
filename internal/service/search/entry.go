package search

import (
	"hash/fnv"
	"maps"
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
	Language string              // tag such as "de-CH", or name
	File     bool                // a file's, which ranks below pages
	Fields   map[string][]string // by name as stored
}

// The words of a document stand as they are written, in lower case, in two fields of the
// index for its language: those of its title, and those of all its fields. What belongs
// together (forms of a word, spellings) is joined when it is searched for: see vocabulary.
const (
	fieldTitle = "title."
	fieldText  = "text."
)

// The fields of the index that have no language.
const (
	fieldCrawler = "crawler"
	fieldPage    = "page"   // a document's ID and its Url
	fieldLength  = "length" // the terms "title" and "text", as often as those have words, and once more; and the language
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

// reader reads documents; one goroutine at a time.
type reader struct {
	words   *words.Reader
	learned map[string]map[string]*spelling // words of documents, by language
	one     [1]string
}

// entry returns the document as the index takes it, and notes its words.
func (r *reader) entry(doc Document) *document.Document {
	language := words.Of(doc.Language)
	fields := map[string]*field{}
	open := func(name string, options index.FieldIndexingOptions) *field {
		if fields[name] == nil {
			text := document.NewTextFieldCustom(name, nil, nil, options|index.IndexField, nil)
			fields[name] = &field{TextField: text, terms: index.TokenFrequencies{}}
		}
		return fields[name]
	}
	title, text := open(fieldTitle+language, 0), open(fieldText+language, 0) // also where it is empty: segments of equal fields merge faster
	open(fieldCrawler, index.SkipFreqNorm).add(doc.Crawler)
	for _, page := range append(doc.Fields["Url"], doc.ID) {
		open(fieldPage, index.SkipFreqNorm).add(page)
	}
	for name, values := range doc.Fields {
		for _, value := range values {
			switch name {
			case "Title":
				r.read(language, value, title, text)
			case "Language":
			default:
				r.read(language, value, nil, text)
			}
			if name != "Content" && name != "Description" && len(value) <= maxValue {
				open(shelf(name), index.SkipFreqNorm|index.DocValues).add(valueTerm(name, value))
			}
		}
	}
	times := 1
	if doc.File {
		times = fileLength
	}
	length := open(fieldLength, 0)
	length.add(language)
	length.terms["title"] = frequency(title.words*times + 1)
	length.terms["text"] = frequency(text.words*times + 1)
	entry := document.NewDocument(doc.id())
	for _, f := range fields {
		entry.AddField(f)
	}
	r.learn(language, title, text)
	return entry
}

// learn notes the document's words.
func (r *reader) learn(language string, title, text *field) {
	all := r.learned[language]
	if all == nil {
		all = map[string]*spelling{}
		r.learned[language] = all
	}
	for word := range text.terms {
		s, there := all[word]
		if !there {
			s = spell(r.words, language, word)
			all[word] = s
		}
		if s != nil {
			s.docs++
			if title.terms[word] != nil {
				s.titles++
			}
		}
	}
}

// tell adds the words noted to those known.
func (r *reader) tell(known *vocabularies) {
	for language, all := range r.learned {
		maps.DeleteFunc(all, func(_ string, s *spelling) bool { return s == nil })
		known.of(language).add(all)
	}
	clear(r.learned)
}

// read adds the words of a value to the document's text, and to its title where it is one.
// Stop words count in titles alone.
func (r *reader) read(language, value string, title, text *field) {
	value, count := words.Lower(value), 0
	for start, end := range words.Each(value) {
		count++
		if count > maxWords {
			return
		}
		word := value[start:end]
		forms, stop := r.forms(language, word)
		for _, form := range forms {
			if title != nil {
				title.count(form)
			}
			if stop && title != nil {
				title.words-- // of what titles are about they tell nothing
			}
			if !stop {
				text.count(form)
			}
		}
	}
}

// forms returns what a word is indexed as: itself, or its parts in scripts without spaces.
func (r *reader) forms(language, word string) (forms []string, stop bool) {
	forms, stop = r.words.Terms(language, word)
	if len(forms) == 1 && len(word) <= words.MaxTerm {
		r.one[0] = word
		return r.one[:], stop
	}
	return forms, stop
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
func (f *field) AnalyzedLength() int                              { return 1 } // the engine's own ranking is not used
func (f *field) AnalyzedTokenFrequencies() index.TokenFrequencies { return f.terms }
func (f *field) Size() int                                        { return 0 }
