package run

import (
	"errors"
	"slices"
	"strings"

	"sitesync/diffstore"
	"sitesync/extract"
	"sitesync/extract/rule"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
)

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

// read extracts a page. Of the first one it notes what the sources gave.
func (e *explanation) read(p *document.Page) (document.Draft, error) {
	ex := e.session.ex
	if e.Fields != nil || p.Seen != document.Read {
		return ex.Read(p)
	}
	draft, attempts, err := ex.Explain(p, e.profile)
	slices.SortStableFunc(attempts, func(a, b extract.Attempt) int { return e.rank(a.Field, b.Field) })
	e.Fields = attempts
	if err == nil {
		doc := ex.Finish(draft, p.URL, e.profile)
		e.Document, e.Hash, e.Warnings = &doc, doc.Hash().String(), slices.Clone(draft.Warn)
		if i := slices.Index(e.Warnings, extract.WarnFileText); i >= 0 && draft.NoText != "" {
			e.Warnings[i] += ": " + draft.NoText
		}
	}
	return draft, err
}

// rank puts the fields that are tried first.
func (e *explanation) rank(a, b string) int {
	at := func(name string) int {
		if i := slices.Index(e.tried, name); i >= 0 {
			return i
		}
		return len(e.tried)
	}
	return at(a) - at(b)
}

// maxSteps is how far back explain follows the pages by which a URL was found.
const maxSteps = 20

// step is how one URL was found. What found the first is the second.
type step struct {
	URL  string `json:"url"`
	By   string `json:"by"` // start: the configuration names it; sitemap; folder; page: that of the next step; loop: it stands in the chain already; unknown
	From string `json:"-"`  // the page that led to it, in words where the chain is longer
}

// discovery returns how the ledger says that a URL was found, back to a start page,
// a sitemap or the configured folder; nil for one that it does not know.
func discovery(ledger *diffstore.Ledger, cfg *config.Config, starts []string, url string) (steps []step, err error) {
	for len(steps) < maxSteps {
		rec, err := ledger.Brief(url)
		if err != nil || rec == nil && steps == nil {
			return nil, err
		}
		found := step{URL: url, By: "unknown"}
		switch {
		case slices.ContainsFunc(steps, func(s step) bool { return s.URL == url }):
			found.By = "loop"
		case slices.Contains(starts, url):
			found.By = "start"
		case rec == nil:
		case rec.First.From != "":
			found.By, found.From = "page", rec.First.From
		case rec.Listed:
			found.By = "sitemap"
		case cfg.Site.Folder != "": // its files need no link
			found.By = "folder"
		}
		steps, url = append(steps, found), found.From
		if found.By != "page" {
			return steps, nil
		}
	}
	steps[maxSteps-1].From = "… a longer chain"
	return steps, nil
}
