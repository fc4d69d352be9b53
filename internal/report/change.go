package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/report/worddiff"
)

// Change is a change as a report shows it. Detail is empty unless the report was asked for it.
type Change struct {
	document.Entry
	Detail
}

// Detail is what a change does to the text of its document.
type Detail struct {
	Title       string       `json:"title,omitempty"`       // the document's new title, cut by document.Short
	Differences []Difference `json:"differences,omitempty"` // of the fields that change
}

// Difference is one field, before and after: as two short values, or as the hunks of long ones.
type Difference struct {
	Field string          `json:"field"`
	Old   string          `json:"old,omitempty"` // empty: there was none, or it is unknown
	New   string          `json:"new,omitempty"` // empty: the field is removed
	Hunks []worddiff.Hunk `json:"hunks,omitempty"`
}

// short is how many bytes a short value has at most.
const short = 200

// NewDetail returns what a change does to its document. old is the document in the ledger; it has
// no fields if they are unknown. NewDetail errs if the new document in the plan is damaged.
func NewDetail(c *document.Change, old document.Document) (d Detail, err error) {
	var now document.Document
	if len(c.Doc) > 0 {
		if err := json.Unmarshal(c.Doc, &now); err != nil {
			return d, fmt.Errorf("read the document of %s: %w", c.ID, err)
		}
	}
	title, written := now.Fields["Title"]
	if !written {
		title = old.Fields["Title"]
	}
	d.Title = document.Short(title)
	fields, order := slices.Clone(c.Fields), map[string]int{"Title": -1, "Content": 1}
	slices.SortStableFunc(fields, func(a, b string) int { return order[a] - order[b] })
	for _, name := range fields {
		before, after := old.Fields[name], now.Fields[name]
		if before != after {
			d.Differences = append(d.Differences, difference(name, before, after))
		}
	}
	return d, nil
}

func difference(name, before, after string) Difference {
	if len(before) <= short && len(after) <= short && name != "Content" {
		return Difference{Field: name, Old: before, New: after}
	}
	return Difference{Field: name, Hunks: worddiff.Diff(before, after)}
}
