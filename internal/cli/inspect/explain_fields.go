package inspect

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"sitesync/extract"
	"sitesync/extract/rule"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
)

// attempt is what one source gave for one field.
type attempt struct {
	Field  string `json:"field"`
	Source string `json:"source"`
	Value  string `json:"value"`
	Won    bool   `json:"won"`
}

// explainFlags are the flags of explain.
type explainFlags struct {
	file  string
	rules []string
	json  bool
	tried []string // names of the fields of rules
}

// try puts the rules of --field, NAME=SOURCE each, before those of the configuration.
// Its error names each faulty one as it was written.
func (f *explainFlags) try(cfg *config.Config) error {
	var fields []config.Field
	var errs []error
	for _, text := range f.rules {
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
		if !slices.Contains(f.tried, name) {
			f.tried = append(f.tried, name)
		}
	}
	cfg.Extract.Fields = append(fields, cfg.Extract.Fields...)
	return errors.Join(errs...)
}

// told takes what the sources gave, field by field, those that are tried first.
func (e *explanation) told(attempts []extract.Attempt) {
	order := slices.Clone(e.tried)
	for _, a := range attempts {
		order = append(order, a.Field)
	}
	slices.SortStableFunc(attempts, func(a, b extract.Attempt) int {
		return slices.Index(order, a.Field) - slices.Index(order, b.Field)
	})
	for _, a := range attempts {
		e.Fields = append(e.Fields, attempt(a))
	}
}

// printFields shows each field with its sources, the tried ones first. Of a page that
// makes no document there is no more than what won.
func printFields(a *app.App, e *explanation) {
	all := map[string]string{}
	for _, one := range e.Fields {
		won := all[one.Field]
		if one.Won {
			won = one.Value
		}
		all[one.Field] = won
	}
	if e.Document != nil {
		maps.Copy(all, e.Document.Fields)
	}
	names := slices.Clone(e.tried)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		a.Print("  %-11s %s", name, app.Or(app.Shorten(all[name]), "none"))
		printSources(a, name, e.Fields)
	}
}

// printSources shows what each source of a field gave, the winner with an asterisk,
// and on one line those that gave nothing.
func printSources(a *app.App, field string, attempts []attempt) {
	attempts = slices.DeleteFunc(slices.Clone(attempts), func(one attempt) bool { return one.Field != field })
	var empty []string
	width := 0
	for _, one := range attempts {
		if one.Value == "" {
			empty = append(empty, one.Source)
			continue
		}
		width = max(width, len([]rune(one.Source)))
	}
	for _, one := range attempts {
		mark := " "
		if one.Won {
			mark = "*"
		}
		if one.Value != "" {
			a.Print("            %s %-*s  %s", mark, width, one.Source, app.Shorten(one.Value))
		}
	}
	if len(empty) > 0 {
		a.Print("              nothing: %s", strings.Join(empty, ", "))
	}
}
