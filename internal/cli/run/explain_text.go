package run

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

//go:embed explanation.tmpl
var explanationSource string

// explanationText shows an explanation, one line a row: row shortens its text and is
// empty without one, line does neither.
func explanationText() *template.Template {
	return template.Must(template.New("explanation").Funcs(template.FuncMap{
		"row": func(name string, text any) string {
			short := app.Shorten(fmt.Sprint(text))
			if short == "" {
				return ""
			}
			return explanationLine(name, short)
		},
		"line": explanationLine, "count": document.Count, "fields": fieldRows, "hints": hintsText, "day": app.Day, "join": strings.Join, "trim": strings.TrimSpace,
		"entryLine": report.EntryLine, "heldLine": report.HeldLine, "proof": report.EvidenceLine, "clean": report.Clean,
		"also": func(there, text any) any { // text where there is something
			if reflect.ValueOf(there).IsZero() {
				return ""
			}
			return text
		},
		"words": func(key string) string {
			return map[string]string{
				"start": "a start address", "sitemap": "in a sitemap", "folder": "in the folder", "loop": "through a loop of links", "unknown": "unknown (first seen before this was recorded)",
				"full": "read in full", "conditional": "asked conditionally", "skip": "not asked",
			}[key]
		},
	}).Parse(explanationSource))
}

func explanationLine(name, text string) string {
	return strings.TrimRight(report.Clean(fmt.Sprintf("  %-11s %s", name, text)), " ") + "\n"
}

func hintsText(r *document.Record) string {
	var hints []string
	if r.Hints.ETag != "" {
		hints = append(hints, "ETag "+r.Hints.ETag)
	}
	if r.Hints.LastModified != "" {
		hints = append(hints, "Last-Modified "+r.Hints.LastModified)
	}
	if r.Hints.Lastmod != 0 {
		hints = append(hints, "lastmod "+time.Unix(r.Hints.Lastmod, 0).UTC().Format(time.RFC3339))
	}
	return cmp.Or(strings.Join(hints, "; "), "none")
}

// fieldRow is a field as an explanation shows it.
type fieldRow struct {
	Name, Value string
	Sources     []string // lines
}

// fieldRows returns the fields, the tried ones first, each with what its sources
// gave: the winner with an asterisk, and on one line, if all is shown, those that gave
// nothing. A page that makes no document shows the winners alone.
func fieldRows(e *explanation) (rows []fieldRow) {
	values, width := map[string]string{}, map[string]int{}
	for _, one := range e.Fields {
		won := values[one.Field]
		if one.Won {
			won = one.Value
		}
		values[one.Field] = won
		if one.Value != "" {
			width[one.Field] = max(width[one.Field], len([]rune(one.Source)))
		}
	}
	if e.Document != nil {
		maps.Copy(values, e.Document.Fields)
	}
	names := slices.Sorted(maps.Keys(values))
	slices.SortStableFunc(names, e.rank)
	for _, name := range names {
		row, empty := fieldRow{Name: name, Value: cmp.Or(app.Shorten(values[name]), "none")}, ""
		for _, one := range e.Fields {
			switch {
			case one.Field != name:
			case one.Value == "":
				empty += ", " + one.Source
			default:
				row.Sources = append(row.Sources, fmt.Sprintf("            %s %-*s  %s", map[bool]string{true: "*", false: " "}[one.Won], width[name], one.Source, app.Shorten(one.Value)))
			}
		}
		if empty != "" && e.all {
			row.Sources = append(row.Sources, "              nothing: "+empty[2:])
		}
		rows = append(rows, row)
	}
	return rows
}
