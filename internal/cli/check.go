package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/extract"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

func (a *app) checkCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the configuration, the site, its certificates and the credentials",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Load(a.configFile, a.getenv)
			if err == nil {
				err = cfg.NeedCrawl()
			}
			if err != nil {
				return usageError{err}
			}
			return a.check(cmd.Context(), cfg, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object")
	return cmd
}

// check tries everything and shows one line for each, the faults too.
func (a *app) check(ctx context.Context, cfg *config.Config, asJSON bool) error {
	found := a.checkConfig(cfg)
	site, err := a.checkSite(ctx, cfg)
	if err != nil {
		return err
	}
	found = append(found, site...)
	found = append(found, checkBrowser(cfg)...)
	found = append(found, a.checkStore(ctx, cfg)...)
	found = append(found, checkOverlap(cfg)...)
	service, serviceErr := a.checkService(ctx, cfg)
	if err := ctx.Err(); err != nil {
		return err
	}
	if found = append(found, service); asJSON {
		err = report.Object(a.stdout, map[string]any{"checks": found})
	} else {
		a.printFindings(found)
	}
	switch {
	case err != nil:
		return err
	case serviceErr != nil:
		return codeError(exitCode(ctx, serviceErr))
	case slices.ContainsFunc(found, func(f crawl.Finding) bool { return !f.OK }):
		return codeError(exitFailed)
	}
	return nil
}

func (a *app) printFindings(found []crawl.Finding) {
	for _, f := range found {
		mark, next := "ok", ""
		if f.Next != "" {
			mark, next = "note", "; next: "+f.Next
		}
		if !f.OK {
			mark = "FAULT"
		}
		a.print("%-5s %-13s %s: %s%s", mark, f.Subject, f.Of, f.Text, next)
	}
}

func (a *app) checkConfig(cfg *config.Config) []crawl.Finding {
	warnings := cfg.Warnings()
	if len(warnings) == 0 {
		return []crawl.Finding{{Subject: "configuration", Of: a.configFile, OK: true, Text: "no faults"}}
	}
	var found []crawl.Finding
	for _, warning := range warnings {
		text, next := warning, "see to it"
		if at := strings.LastIndex(warning, ": "); at >= 0 {
			text, next = warning[:at], warning[at+2:]
		}
		found = append(found, crawl.Finding{Subject: "configuration", Of: a.configFile, OK: true, Text: text, Next: next})
	}
	return found
}

// checkSite tries every host of the site.
func (a *app) checkSite(ctx context.Context, cfg *config.Config) (found []crawl.Finding, err error) {
	ex, err := a.newExtractor(ctx, cfg)
	if err != nil {
		return nil, usageError{err}
	}
	defer func() { err = errors.Join(err, ex.Close()) }()
	crawler, err := crawl.New(crawlOptions(cfg, nil))
	if err != nil {
		return nil, usageError{err}
	}
	found, err = crawler.Check(ctx, func(p *document.Page) (text, next string) { return describe(cfg, ex, p) })
	return found, firstError(err, crawler.Close())
}

// describe says what extraction makes of a page, and what could be better.
func describe(cfg *config.Config, ex *extract.Extractor, p *document.Page) (text, next string) {
	draft, err := ex.Read(p)
	if err != nil {
		return err.Error(), "name a page in site.start that holds links"
	}
	doc := ex.Finish(draft, p.URL, nil)
	text = fmt.Sprintf("%q, %d characters of text", shorten(doc.Fields["Title"]), len([]rune(doc.Fields["Content"])))
	switch {
	case doc.Fields["Title"] == "":
		text = "no title" + strings.TrimPrefix(text, `""`)
		next = "give the page a <title>"
	case slices.Contains(draft.Warn, extract.WarnNoContent):
		next = "extract.content matches nothing on it: look at the selector"
	}
	if slices.Contains(draft.Warn, extract.WarnEmptyShell) && cfg.Fetch.Render == config.RenderNever {
		next = `it shows nothing without JavaScript: set fetch.render = "auto"`
	}
	return text, next
}
