package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/crawl"
	"sitesync/crawl/scout"
	"sitesync/extract"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

func checkCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Check the configuration, the site, its certificates and the credentials",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cfg, err := config.Load(a.ConfigFile, a.Getenv)
			if err == nil {
				err = cfg.NeedCrawl()
			}
			if err != nil {
				return app.Usage(err)
			}
			return check(cmd.Context(), a, cfg, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object")
	return cmd
}

// check tries everything and shows one line for each, the faults too.
func check(ctx context.Context, a *app.App, cfg *config.Config, asJSON bool) error {
	found := checkConfig(a, cfg)
	site, err := checkSite(ctx, a, cfg)
	if err != nil {
		return err
	}
	found = append(found, site...)
	found = append(found, checkBrowser(cfg)...)
	found = append(found, checkStore(ctx, a, cfg)...)
	found = append(found, app.CheckOverlap(cfg)...)
	service, serviceErr := checkService(ctx, a, cfg)
	if err := ctx.Err(); err != nil {
		return err
	}
	if found = append(found, service); asJSON {
		err = report.Object(a.Stdout, map[string]any{"checks": found})
	} else {
		printFindings(a, found)
	}
	switch {
	case err != nil:
		return err
	case serviceErr != nil:
		return app.CodeError(app.ExitCode(ctx, serviceErr))
	case slices.ContainsFunc(found, func(f scout.Finding) bool { return !f.OK }):
		return app.CodeError(app.ExitFailed)
	}
	return nil
}

func printFindings(a *app.App, found []scout.Finding) {
	for _, f := range found {
		mark, next := "ok", ""
		if f.Next != "" {
			mark, next = "note", "; next: "+f.Next
		}
		if !f.OK {
			mark = "FAULT"
		}
		a.Print("%-5s %-13s %s: %s%s", mark, f.Subject, f.Of, f.Text, next)
	}
}

func checkConfig(a *app.App, cfg *config.Config) []scout.Finding {
	warnings := cfg.Warnings()
	if len(warnings) == 0 {
		return []scout.Finding{{Subject: "configuration", Of: a.ConfigFile, OK: true, Text: "no faults"}}
	}
	var found []scout.Finding
	for _, warning := range warnings {
		text, next := warning, "see to it"
		if at := strings.LastIndex(warning, ": "); at >= 0 {
			text, next = warning[:at], warning[at+2:]
		}
		found = append(found, scout.Finding{Subject: "configuration", Of: a.ConfigFile, OK: true, Text: text, Next: next})
	}
	return found
}

// checkSite tries every host of the site.
func checkSite(ctx context.Context, a *app.App, cfg *config.Config) (found []scout.Finding, err error) {
	ex, err := a.NewExtractor(ctx, cfg)
	if err != nil {
		return nil, app.Usage(err)
	}
	defer func() { err = errors.Join(err, ex.Close()) }()
	found, err = crawl.Check(ctx, app.CrawlOptions(cfg, nil), func(p *document.Page) (text, next string) { return describe(cfg, ex, p) })
	return found, usageOfOptions(err)
}

// describe says what extraction makes of a page, and what could be better.
func describe(cfg *config.Config, ex *extract.Extractor, p *document.Page) (text, next string) {
	draft, err := ex.Read(p)
	if err != nil {
		return err.Error(), "name a page in site.start that holds links"
	}
	doc := ex.Finish(draft, p.URL, nil)
	text = fmt.Sprintf("%q, %d characters of text", app.Shorten(doc.Fields["Title"]), len([]rune(doc.Fields["Content"])))
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

// usageOfOptions makes an error of the crawler's options one of usage.
func usageOfOptions(err error) error {
	if _, ok := errors.AsType[crawl.OptionsError](err); ok {
		return app.Usage(err)
	}
	return err
}
