package fleet

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/site"
	"sitesync/internal/report"
)

// reserved are the lines of a terminal on which --watch shows no site: totals, heads, what is
// left out, trouble, the cursor.
const reserved = 6

func statusCommand(f *fleet) *cobra.Command {
	var group, glob string
	var states []string
	var most int
	var watch bool
	cmd := &cobra.Command{
		Use: "status [SITE...]", Short: "Show how each site of the fleet is doing; the exit code says it too",
		Long: "Show how each site of the fleet is doing: those first that want an eye. For one SITE: its last runs as well.\n\n" +
			"The exit code is that of the site that is worst off: 1 where the last run failed, was interrupted or had wrong settings, where there is\n" +
			"trouble, or where a site is an hour late; then 5, 4 (brakes hold changes), 3 (something new failed), and 0 where all is well.",
	}
	flags := cmd.Flags()
	flags.StringVar(&group, "group", "", "only the sites of the group `G`")
	flags.StringVar(&glob, "site", "*", "only the sites whose name matches `GLOB`")
	app.Choices(cmd, &states, "state", "only the sites in `STATE`, or in one of several", allStates()...)
	flags.IntVar(&most, "limit", 0, "show `N` sites at most; 0: all")
	flags.BoolVar(&watch, "watch", false, "show it anew as it changes, until Ctrl-C")
	app.JSONFlag(cmd, &f.a.JSON)
	fits := func(s *standing) bool {
		named, _ := path.Match(glob, s.Site) // it was tried
		return named && (group == "" || s.Group == group) &&
			(len(states) == 0 || slices.ContainsFunc(s.States, func(state string) bool { return slices.Contains(states, state) }))
	}
	show := f.onBoard(-1, func(ctx context.Context, d *board, names []string) (err error) {
		columns, _ := f.a.Size()
		o := d.overview(fits, most)
		switch {
		case watch:
			ticker := time.NewTicker(time.Second)
			defer ticker.Stop()
			return d.follow(ctx, names, ticker.C, func() error {
				columns, lines := f.a.Size()
				return f.a.Redraw(d.overview(fits, max(1, lines-reserved)).text(columns))
			})
		case len(names) == 1:
			return f.showSite(ctx, d, names[0])
		case f.a.JSON:
			err = report.Object(f.a.Stdout, o)
		default:
			_, err = fmt.Fprint(f.a.Stdout, o.text(columns))
		}
		return cmp.Or(err, code(o.Exit))
	})
	cmd.RunE = func(cmd *cobra.Command, names []string) error {
		columns, _ := f.a.Size()
		_, wrong := path.Match(glob, "")
		switch {
		case wrong != nil:
			return app.Usagef("--site %q is no pattern; it takes *, ? and [a-z]", glob)
		case watch && (columns == 0 || f.a.JSON):
			return app.Usagef("--watch redraws a terminal, and the result goes elsewhere; leave --watch out")
		}
		return show(cmd, names)
	}
	return cmd
}

//go:embed site.txt
var sitePage string

// showSite shows one site with its last runs.
func (f *fleet) showSite(ctx context.Context, d *board, name string) error {
	runs, err := record.Read(ctx, d.Bus, name, bus.KeepRuns)
	if err != nil {
		return err
	}
	page := struct {
		*standing
		Records []record.Run    `json:"runs"`
		Of      site.Site       `json:"-"`
		Is      string          `json:"-"`
		Hosts   []document.Host `json:"-"` // that are not well
		Brakes  []string        `json:"-"`
		Runs    []string        `json:"-"`
	}{standing: d.standing(name), Records: figures(runs), Of: d.sites[name]}
	page.Is = words(page.States...)
	for i, r := range runs {
		page.Runs = append(page.Runs, strings.Join(runRow(&r)[1:], "  "))
		if i > 0 {
			continue
		}
		page.Hosts = slices.DeleteFunc(slices.Clone(r.Hosts), func(h document.Host) bool { return h.State == document.HostOK && len(h.Alarms) == 0 })
		for _, brake := range r.Brakes {
			page.Brakes = append(page.Brakes, here(report.BrakeLine(&brake), name))
		}
	}
	return cmp.Or(f.a.Show(page, sitePage), code(page.Exit))
}

// here puts the commands of a fleet in place of those that a text names for one machine.
func here(text, site string) string {
	return strings.NewReplacer("sitesync held", "sitesync fleet held "+site, "sitesync approve", "sitesync fleet approve "+site).Replace(text)
}
