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

// siteCommand returns a command that shows the site. show has a function for each format.
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

// selection is the filter of the command list.
type selection struct {
	statuses []string // empty: all
	under    string   // the beginning of URLs or of their paths
}

func (o *selection) of(s *site.Site) iter.Seq2[*site.Page, error] {
	return func(yield func(*site.Page, error) bool) {
		leftOut := slices.Contains(o.statuses, string(site.LeftOut))
		for i := range s.Pages {
			p := &s.Pages[i]
			path := strings.HasPrefix(o.under, "/") && strings.HasPrefix(weburl.Target(p.URL), o.under)
			begins := path || strings.HasPrefix(p.URL, o.under)
			of := len(o.statuses) == 0 || slices.Contains(o.statuses, string(p.Status)) || leftOut && p.Left() != ""
			if begins && of && !yield(p, nil) {
				return
			}
		}
	}
}

func listCommand(a *app.App) *cobra.Command {
	var o selection
	var known []string
	for _, status := range site.Statuses {
		known = append(known, string(status))
	}
	cmd := siteCommand(a, &cobra.Command{
		Use: "list", Short: "List every known URL with its status, title and dates",
	}, map[string]func(*site.Site) error{
		"text": func(s *site.Site) error { return report.PagesText(a.Stdout, o.of(s)) },
		"json": func(s *site.Site) error { return report.PagesJSON(a.Stdout, o.of(s)) },
		"csv":  func(s *site.Site) error { return report.PagesCSV(a.Stdout, o.of(s)) },
	})
	app.Choices(cmd, &o.statuses, "status", "only URLs of this `STATUS` (repeatable)", known...)
	cmd.Flags().StringVar(&o.under, "under", "", "only URLs that begin with `PREFIX`: an address, or a path such as /news/")
	return cmd
}

func reportCommand(a *app.App) *cobra.Command {
	return siteCommand(a, &cobra.Command{
		Use: "report", Short: "Show the site's faults: broken links, redirect chains, duplicate titles and more, what is new first",
	}, map[string]func(*site.Site) error{
		"text": func(s *site.Site) error { return report.SiteText(a.Stdout, s, a.Verbose) },
		"json": func(s *site.Site) error { return report.SiteJSON(a.Stdout, s) },
		"csv":  func(s *site.Site) error { return report.SiteCSV(a.Stdout, s) },
	})
}
