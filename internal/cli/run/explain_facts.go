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
	"sitesync/internal/weburl"
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

// noteAttempts notes what the sources gave, field by field, the tried fields first.
func (e *explanation) noteAttempts(attempts []extract.Attempt) {
	order := slices.Clone(e.tried)
	for _, a := range attempts {
		order = append(order, a.Field)
	}
	slices.SortStableFunc(attempts, func(a, b extract.Attempt) int {
		return slices.Index(order, a.Field) - slices.Index(order, b.Field)
	})
	e.Fields = attempts
}

// maxSteps is how far back explain follows the pages by which a URL was found.
const maxSteps = 20

// step is how one URL was found. What found the first is the second.
type step struct {
	URL  string `json:"url"`
	By   string `json:"by"`
	From string `json:"-"` // the page that led to it, in words where the chain is longer
}

// The ways to find a URL.
const (
	byStart   = "start"   // the configuration names it
	bySitemap = "sitemap" // a sitemap listed it
	byPage    = "page"    // the next step's page led to it
	byNothing = "unknown" // the ledger does not tell
	byItself  = "loop"    // it stands in the chain already
)

// discovery returns how the ledger says that a URL was found, back to a start page
// or a sitemap; nil for one that it does not know.
func discovery(ledger *diffstore.Ledger, cfg *config.Config, url string) ([]step, error) {
	var starts []string
	canon := weburl.NewCanonicalizer(cfg.Site.IgnoreParams)
	for _, raw := range cfg.Site.Start {
		if start, err := canon.URL(raw); err == nil {
			starts = append(starts, start)
		}
	}
	var steps []step
	for len(steps) < maxSteps {
		rec, err := ledger.Brief(url)
		if err != nil || rec == nil && steps == nil {
			return nil, err
		}
		by := foundBy(rec, slices.Contains(starts, url))
		if slices.ContainsFunc(steps, func(s step) bool { return s.URL == url }) {
			by = byItself
		}
		steps = append(steps, step{URL: url, By: by})
		if by != byPage {
			break
		}
		url = rec.First.From
		steps[len(steps)-1].From = url
		if len(steps) == maxSteps {
			steps[len(steps)-1].From = "… a longer chain"
		}
	}
	return steps, nil
}

func foundBy(rec *document.Record, start bool) string {
	switch {
	case start:
		return byStart
	case rec == nil:
		return byNothing
	case rec.First.From != "":
		return byPage
	case rec.Listed:
		return bySitemap
	}
	return byNothing
}
