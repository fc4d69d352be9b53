package search

import "sitesync/internal/wire"

// Query is a search.
type Query struct {
	Text     string              // see parse
	All      bool                // every word must be there; else any
	Synonyms []wire.SynonymGroup // words and phrases of a language that find each other

	Filters      Filters  // a document must pass all
	NotFilters   Filters  // and none of these
	PostFilters  Filters  // and these, which narrow the results, not the facets
	PostAny      bool     // one of PostFilters will do
	FilterFacets bool     // they narrow the facets, too
	Only         []string // IDs or Urls of the only documents to look at; nil: all
	Without      []string // IDs or Urls of documents to leave out
	Pins         []Pin    // by rank: documents that stand there, whatever they say

	Sort   []Order             // by these fields; empty: best first
	Facets map[string][]string // fields whose values are counted, with those that narrow the results as PostFilters do
	From   int
	Size   int

	Completions int // of the last word, to name; it is then found by them, too; 0: it is complete
}

// A Pin is a document at a rank, from 1 on.
type Pin struct {
	Rank  int
	Names []string // its ID or Url
}

// Order sorts by a field's values: as dates where its name ends in _date, as numbers
// where it ends in _number. Documents without one come last.
type Order struct {
	Field string
	Desc  bool
}

// Filters ask for documents that have one of the values of each field, and a value in each range.
type Filters struct {
	Values map[string][]string
	Ranges []Range
}

// Range is a range of a field's values, both ends included. Values of another kind are in no
// range.
type Range struct {
	Field    string
	Date     bool // its ends are Unix seconds
	Min, Max float64
}

// Facet is how many documents have which values of a field, most frequent values first.
type Facet struct {
	FieldName    string
	MissingCount int // documents without a value
	AllCount     int // documents
	Items        []Count
}

// Count is how many documents have a value.
type Count struct {
	Key   string
	Count int
}

// Everything is the text that finds every document.
const Everything = "*"
