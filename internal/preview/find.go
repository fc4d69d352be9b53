package preview

import (
	"cmp"
	"context"
	"html"
	"slices"
	"strings"

	"sitesync/internal/service"
	"sitesync/internal/ui"
)

// snippetBytes is how much of a text is shown where no word of it matches.
const snippetBytes = 200

// mostValues is how many values of a facet are shown.
const mostValues = 10

// Live searches what a service holds. It has one side.
type Live struct {
	Service          *service.Service
	Customer, Engine int64
	Facets           []string // fields by which results are narrowed
}

// Search searches for the visitors of the engine.
func (l *Live) Search(ctx context.Context, _ ui.Side, q ui.Query) (*ui.Results, error) {
	text, facets := cmp.Or(strings.TrimSpace(q.Text), "*"), map[string][]string{}
	for _, field := range l.Facets {
		facets[field] = nil
	}
	request := service.Request{
		Page: q.Page + 1, PerPage: min(max(q.Size, 1), 100), Highlight: true,
		Fields: []string{"Title", "Url", "Description", "Content", "Date"},
	}
	request.Query.Text, request.Query.Facets, request.Query.Filters.Values = text, facets, q.Filters
	answer, err := l.Service.Find(ctx, l.Customer, l.Engine, request)
	if err != nil {
		return nil, err
	}
	results := &ui.Results{Total: answer.TotalDocument, Meant: answer.FixedQuery}
	for _, doc := range answer.TypedDocuments {
		hit := ui.Hit{ID: doc.ID, URL: cmp.Or(doc.Fields["Url"].Value, doc.ID), Date: doc.Fields["Date"].Value, Type: "page"}
		if doc.Type == 1 {
			hit.Type = "file"
		}
		hit.Title = shown(doc, "Title", hit.URL)
		hit.Snippet = shown(doc, "Content", doc.Fields["Description"].Value)
		results.Hits = append(results.Hits, hit)
	}
	for _, field := range l.Facets {
		facet := ui.Facet{Field: field}
		counts := answer.Facets[field].Items
		if len(counts) > max(mostValues/2, answer.TotalDocument/2) && q.Filters[field] == nil {
			continue // nearly every document has a value of its own
		}
		for _, count := range counts {
			on := slices.Contains(q.Filters[field], count.Key)
			if on || len(facet.Values) < mostValues {
				facet.Values = append(facet.Values, ui.Value{Text: count.Key, Count: count.Count, On: on})
			}
		}
		if len(facet.Values) > 0 {
			results.Facets = append(results.Facets, facet)
		}
	}
	return results, nil
}

// Progress says that there is nothing to build.
func (*Live) Progress() ui.Progress { return ui.Progress{Sides: []ui.Side{ui.Before}} }

// Pending does nothing: no plan is pending here.
func (*Live) Pending(string) {}

// shown returns the fragments of a field that match, else instead, else its beginning.
func shown(doc service.Found, field, instead string) (pieces []ui.Piece) {
	for i, fragment := range doc.Fields[field].Highlights {
		if i > 0 {
			pieces = append(pieces, ui.Piece{Text: " … "})
		}
		pieces = append(pieces, unmark(fragment)...)
	}
	if pieces != nil {
		return pieces
	}
	text := doc.Fields[field].Value
	if field == "Content" || text == "" {
		text = cmp.Or(instead, text)
	}
	if len(text) > snippetBytes {
		text = strings.ToValidUTF8(text[:snippetBytes], "") + "…"
	}
	return []ui.Piece{{Text: text}}
}

// unmark returns escaped HTML with words in <b> as plain text with marks.
func unmark(fragment string) (pieces []ui.Piece) {
	for i, part := range strings.Split(fragment, "<b>") {
		marked, rest, closed := strings.Cut(part, "</b>")
		if i == 0 || !closed {
			marked, rest = "", part
		}
		for _, piece := range []ui.Piece{{Text: html.UnescapeString(marked), Mark: true}, {Text: html.UnescapeString(rest)}} {
			if piece.Text != "" {
				pieces = append(pieces, piece)
			}
		}
	}
	return pieces
}
