package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"sitesync/internal/document"
	"sitesync/internal/report/worddiff"
)

// Change is one change of a document in a report. Detail is empty if the report omits old and new text.
type Change struct {
	document.Entry
	Detail
}

// Detail holds the old and new text of the fields that a change alters.
type Detail struct {
	Title       string       `json:"title,omitempty"` // the title after the change, shortened
	Differences []Difference `json:"differences,omitempty"`
}

// Difference is one field before and after a change. Short values are in Old and New, long values in Hunks.
type Difference struct {
	Field string          `json:"field"`
	Old   string          `json:"old,omitempty"` // empty if there was no value, or if it is unknown
	New   string          `json:"new,omitempty"` // empty if the change removes the field
	Hunks []worddiff.Hunk `json:"hunks,omitempty"`
}

const maxShortBytes = 200

// NewDetail returns the texts that the change c alters. old is the document in the ledger (the record of the
// index). If the ledger keeps no texts, old has no fields. NewDetail errs if c.Doc is not valid JSON.
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
	if len(before) <= maxShortBytes && len(after) <= maxShortBytes && name != "Content" {
		return Difference{Field: name, Old: before, New: after}
	}
	return Difference{Field: name, Hunks: worddiff.Diff(before, after)}
}
