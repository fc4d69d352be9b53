package search

import "sitesync/internal/wire"

// Query describes a search.
type Query struct {
	Text     string              // the query text, with the operators of parser
	All      bool                // true: every word is required; false: any word
	Synonyms []wire.SynonymGroup // the words of a group find each other

	Filters      []Condition // a document must pass all of these
	NotFilters   []Condition // a document must pass none of these
	PostFilters  []Condition // like Filters, but they don't narrow the facets
	PostAny      bool        // passing one of PostFilters is enough
	FilterFacets bool        // PostFilters and the values of Facets narrow the facets too
	Pins         []Pin       // documents with a fixed rank, sorted by rank; they need not match the text

	Sort   []Order             // sort by these fields; empty: by score
	Facets map[string][]string // fields to count values of; values listed here also filter
	// From is the number of results to skip, and Size the most to return.
	From int
	Size int

	Completions int // the most completions of the last word in Result.Texts; 0: the last word is complete
}

// A Pin fixes a document at a rank, counted from 1.
type Pin struct {
	Rank  int
	Names []string // the document's ID or URL
}

// Order sorts by a field's values: as dates if its name ends in _date, as numbers if it ends in _number.
// Documents without the field come last.
type Order struct {
	Field string
	Desc  bool
}

// Facet counts documents by their values of a field, most frequent values first.
type Facet struct {
	FieldName    string
	MissingCount int // documents without the field
	AllCount     int // all counted documents
	Items        []Count
}

// Count is the number of documents with a value.
type Count struct {
	Key   string
	Count int
}

// Everything is the query text that matches every document.
const Everything = "*"
