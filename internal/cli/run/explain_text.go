package run

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"

	"sitesync/extract"
	"sitesync/extract/rule"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

//go:embed explanation.tmpl
var explanationSource string

// explanationText returns the template of an explanation. In the template, "row" writes a line with shortened
// text, or nothing if the text is empty. "line" writes a line with the whole text.
func explanationText() *template.Template {
	return template.Must(template.New("explanation").Funcs(template.FuncMap{
		"row": func(name string, text any) string {
			short := app.Shorten(fmt.Sprint(text))
			if short == "" {
				return ""
			}
			return explanationLine(name, short)
		},
		"line": explanationLine, "count": document.Count, "fields": fieldRows, "hints": hintsText, "day": app.Day,
		"join": strings.Join, "trim": strings.TrimSpace,
		"entryLine": report.EntryLine, "proof": report.EvidenceLine, "days": report.Days, "clean": report.Clean,
		"also": func(there, text any) any { // returns "" if the first argument is empty, else the second
			if reflect.ValueOf(there).IsZero() {
				return ""
			}
			return text
		},
	}).Parse(explanationSource))
}

func explanationLine(name, text string) string {
	return strings.TrimRight(report.Clean(fmt.Sprintf("  %-12s %s", name, text)), " ") + "\n"
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

type fieldRow struct {
	Name, Value string
	Sources     []string
}

// fieldRows returns the fields with the results of their sources. An asterisk marks the source whose
// value is used. If e.all is true, one more line names the sources without a result.
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
	for _, name := range slices.Sorted(maps.Keys(values)) {
		row, empty := fieldRow{Name: name, Value: cmp.Or(app.Shorten(values[name]), "none")}, ""
		for _, one := range e.Fields {
			switch {
			case one.Field != name:
			case one.Value == "":
				empty += ", " + one.Source
			default:
				mark := map[bool]string{true: "*", false: " "}[one.Won]
				row.Sources = append(row.Sources, fmt.Sprintf("            %s %-*s  %s",
					mark, width[name], one.Source, app.Shorten(one.Value)))
			}
		}
		if empty != "" && e.all {
			row.Sources = append(row.Sources, "              nothing: "+empty[2:])
		}
		rows = append(rows, row)
	}
	return rows
}

// addRules puts field rules, each NAME=SOURCE, before the configured rules. Its error quotes the invalid ones.
func addRules(cfg *config.Config, rules []string) error {
	var fields []config.Field
	var errs []error
	for _, text := range rules {
		name, source, found := strings.Cut(text, "=")
		if !found {
			errs = append(errs, app.Usagef("--field %q is not NAME=SOURCE, as in Category=css:.topic", text))
			continue
		}
		if err := rule.CheckName(name); err != nil {
			errs = append(errs, app.Usagef("--field %q: the name %w", text, err))
		}
		if _, err := rule.ParseSource(source); err != nil {
			errs = append(errs, app.Usagef("--field %q: the source %w", text, err))
		}
		fields = append(fields, config.Field{Name: name, From: []string{source}})
	}
	cfg.Extract.Fields = append(fields, cfg.Extract.Fields...)
	return errors.Join(errs...)
}

// extract extracts the text of a page. For the first page it also stores the document and field sources in e.
func (e *explanation) extract(p *document.Page) (document.Draft, error) {
	ex := e.session.ex
	if e.Fields != nil || p.Seen != document.Read {
		return ex.Read(p)
	}
	draft, attempts, err := ex.Explain(p, e.profile)
	e.Fields = attempts
	if err == nil {
		doc := ex.Finish(draft, p.URL, e.profile)
		e.Document, e.Hash, e.Warnings = &doc, doc.Hash().String(), slices.Clone(draft.Warn)
		for i, kind := range e.Warnings {
			switch {
			case kind == document.WarnLanguage:
				e.Warnings[i] += ": " + draft.Misread
			case draft.Why != "" && (kind == extract.WarnFileText || kind == document.WarnCut):
				e.Warnings[i] += ": " + draft.Why
			}
		}
	}
	return draft, err
}
