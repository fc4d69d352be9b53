package inspect

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/report"
	"sitesync/internal/report/site"
	"sitesync/internal/weburl"
)

// siteCommand completes the command "list" or "report". show has a function for each output format.
func siteCommand(a *app.App, cmd *cobra.Command, show map[string]func(*site.Site) error) *cobra.Command {
	format := "text"
	cmd.Args = cobra.NoArgs
	cmd.RunE = a.Run(func(_ context.Context, cfg *config.Config, _ []string) error {
		return app.ReadLedger(cfg, func(ledger *diffstore.Ledger) error {
			all, err := a.Site(cfg, ledger, cmd.Name() == "report")
			if err != nil {
				return err
			}
			if len(all.Pages) == 0 && format == "text" {
				a.Print("no URL is known yet; %s looks at the site", a.Spell("sitesync sync"))
				return nil
			}
			return show[format](all)
		})
	}, app.NeedStore)
	app.Choice(cmd, &format, "format", "`FORMAT` of the result", "text", "json", "csv")
	return cmd
}

func listCommand(a *app.App) *cobra.Command {
	var statuses, known []string
	var under string
	for _, status := range site.Statuses {
		known = append(known, string(status))
	}
	selected := func(s *site.Site) iter.Seq2[*site.Page, error] {
		return func(yield func(*site.Page, error) bool) {
			for i := range s.Pages {
				p := &s.Pages[i]
				if hasStatus(p, statuses) && isUnder(p.URL, under) && !yield(p, nil) {
					return
				}
			}
		}
	}
	cmd := siteCommand(a, &cobra.Command{
		Use: "list", Short: "List every known URL with its status, title and dates",
	}, map[string]func(*site.Site) error{
		"text": func(s *site.Site) error { return report.PagesText(a.Stdout, selected(s)) },
		"json": func(s *site.Site) error { return report.PagesJSON(a.Stdout, selected(s)) },
		"csv":  func(s *site.Site) error { return report.PagesCSV(a.Stdout, selected(s)) },
	})
	app.Choices(cmd, &statuses, "status", "only URLs of this `STATUS` (repeatable)", known...)
	const usage = "only URLs that begin with `PREFIX`: an address, or a path such as /news/"
	cmd.Flags().StringVar(&under, "under", "", usage)
	return cmd
}

// hasStatus reports whether a page has one of the statuses. An empty list means all. The status
// "left-out" matches every page that makes no document.
func hasStatus(p *site.Page, statuses []string) bool {
	leftOut := slices.Contains(statuses, string(site.LeftOut)) && p.Left() != ""
	return len(statuses) == 0 || leftOut || slices.Contains(statuses, string(p.Status))
}

func isUnder(url, prefix string) bool {
	path := strings.HasPrefix(prefix, "/") && strings.HasPrefix(weburl.Target(url), prefix)
	return path || strings.HasPrefix(url, prefix)
}

func reportCommand(a *app.App) *cobra.Command {
	const short = "Show the site's faults: broken links, redirect chains, duplicate titles and more, what is new first"
	return siteCommand(a, &cobra.Command{Use: "report", Short: short}, map[string]func(*site.Site) error{
		"text": func(s *site.Site) error { return report.SiteText(a.Stdout, s, a.Verbose) },
		"json": func(s *site.Site) error { return report.SiteJSON(a.Stdout, s) },
		"csv":  func(s *site.Site) error { return report.SiteCSV(a.Stdout, s) },
	})
}
