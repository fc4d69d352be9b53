package run

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
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
			if ok, _ := template.IsTrue(there); !ok {
				return ""
			}
			return text
		},
		"words": func(key string) string {
			return map[string]string{
				byStart: "a start address", bySitemap: "in a sitemap", byItself: "through a loop of links", byNothing: "unknown (first seen before this was recorded)",
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
// gave: the winner with an asterisk, and on one line those that gave nothing. A
// page that makes no document shows the winners alone.
func fieldRows(e *explanation) (rows []fieldRow) {
	values := map[string]string{}
	for _, one := range e.Fields {
		won := values[one.Field]
		if one.Won {
			won = one.Value
		}
		values[one.Field] = won
	}
	if e.Document != nil {
		maps.Copy(values, e.Document.Fields)
	}
	names := slices.Clone(e.tried)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		row := fieldRow{Name: name, Value: cmp.Or(app.Shorten(values[name]), "none")}
		width := 0
		for _, one := range e.Fields {
			if one.Field == name && one.Value != "" {
				width = max(width, len([]rune(one.Source)))
			}
		}
		var empty []string
		for _, one := range e.Fields {
			switch {
			case one.Field != name:
			case one.Value == "":
				empty = append(empty, one.Source)
			default:
				row.Sources = append(row.Sources, fmt.Sprintf("            %s %-*s  %s", map[bool]string{true: "*", false: " "}[one.Won], width, one.Source, app.Shorten(one.Value)))
			}
		}
		if len(empty) > 0 && e.all {
			row.Sources = append(row.Sources, "              nothing: "+strings.Join(empty, ", "))
		}
		rows = append(rows, row)
	}
	return rows
}
