package ui

import (
	"context"
	"html/template"
)

// Side is the index as it is, or as it would be.
type Side string

// The sides of a search.
const (
	Before Side = "before" // the index as it is
	After  Side = "after"  // as it would be after the pending plan
)

// Query is what is searched for.
type Query struct {
	Text    string
	Filters map[string][]string // chosen values by field
	Page    int                 // from 0
	Size    int                 // hits of a page
}

// Hit is one document that was found.
type Hit struct {
	ID, URL, Date, Type string
	Title, Snippet      template.HTML // escaped, with <mark> around words of the query
	Move, Class         string        // how its place differs from the other side's, which find says, and its badge
	Changed             bool          // the plan changes it
}

// Value is one value of a facet.
type Value struct {
	Text  string
	Count int
	On    bool // it is filtered by
}

// Facet is a field by which results can be narrowed.
type Facet struct {
	Field  string
	Values []Value
}

// Results is one page of what was found.
type Results struct {
	Total  int
	Hits   []Hit
	Facets []Facet
	Meant  string // what the query may have meant; empty: nothing better is known
}

// Progress is how far the indexes are built that are searched.
type Progress struct {
	Doing string // in words, such as "reading documents"; empty: they are built
	Done  int
	Of    int
	Sides []Side // that can be searched, once they are built
	Note  string // what the owner should know of them, such as that texts are not kept
	Err   error  // why they can't be built
}

// Search searches the index as it is, and as it would be.
type Search interface {
	// Search errs while the side is not built yet.
	Search(ctx context.Context, side Side, q Query) (*Results, error)
	Progress() Progress
	// Pending makes the plan in a file the one that After shows; empty: none is pending.
	Pending(plan string)
}
