package fleet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/record"
	"sitesync/internal/report"
)

// figures returns runs without their texts.
func figures(runs []record.Run) []record.Run {
	for i := range runs {
		runs[i].Report, runs[i].Log = "", ""
	}
	return append([]record.Run{}, runs...)
}

// runRow returns the site of a run and what a line tells of it.
func runRow(r *record.Run) []string {
	if r.Fault != "" {
		return []string{r.Site, "-", moment(r.Start), "-", "-", "its record can't be read: " + r.Fault, "-"}
	}
	did := report.Counted(&document.Summary{Counts: r.Counts, New: r.New, Stopped: r.Stopped, Complete: true})
	if r.Stopped != "" {
		did += "; " + r.Stopped
	}
	took := time.Duration(r.Took) * time.Millisecond
	return []string{r.Site, fmt.Sprintf("%.10s", cmp.Or(r.Run, "-")), moment(r.Start), took.Round(time.Second / 10).String(), ended(r.Exit), app.Shorten(did), r.Worker}
}

func runsCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{Use: "runs [SITE]", Short: "Show the last runs of a site, or the last run of each", Args: cobra.MaximumNArgs(1)}
	cmd.RunE = f.onBoard(1, func(ctx context.Context, d *board, names []string) (err error) {
		var runs []record.Run
		for name := range d.sites {
			if last := d.states[name].Last; last != nil {
				runs = append(runs, record.Run{Site: name, Result: *last})
			}
		}
		slices.SortFunc(runs, func(a, b record.Run) int { return cmp.Or(b.Start.Compare(a.Start), strings.Compare(a.Site, b.Site)) })
		if len(names) > 0 {
			runs, err = record.Read(ctx, d.Bus, names[0], bus.KeepRuns)
		}
		if err != nil {
			return err
		}
		rows := [][]string{{"SITE", "RUN", "START", "TOOK", "RESULT", "CHANGES", "WORKER"}}
		for i := range runs {
			rows = append(rows, runRow(&runs[i]))
		}
		return f.tell(map[string]any{"runs": figures(runs)}, rows)
	})
	app.JSONFlag(cmd, &f.a.JSON)
	return cmd
}

// tell shows a result: as JSON where that is asked for, else as a table.
func (f *fleet) tell(result any, rows [][]string) error {
	if f.a.JSON {
		return report.Object(f.a.Stdout, result)
	}
	_, err := fmt.Fprint(f.a.Stdout, table(rows))
	return err
}

func logsCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{Use: "logs SITE [RUN]", Short: "Show the report and the messages of a site's last run, or of RUN", Args: cobra.RangeArgs(1, 2)}
	cmd.RunE = f.onBoard(1, func(ctx context.Context, d *board, args []string) error {
		runs, err := record.Read(ctx, d.Bus, args[0], bus.KeepRuns)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(runs, func(r record.Run) bool { return len(args) == 1 || r.Run != "" && strings.HasPrefix(r.Run, args[1]) })
		switch {
		case i < 0:
			return app.Usagef("%s has no such run; sitesync fleet runs %s lists those that are kept", args[0], args[0])
		case f.a.JSON:
			return report.Object(f.a.Stdout, runs[i])
		}
		_, err = fmt.Fprintln(f.a.Stdout, report.CleanLines(strings.TrimSpace(strings.Join(runRow(&runs[i]), "  ")+"\n\n"+runs[i].Report+"\n"+runs[i].Log)))
		return err
	})
	app.JSONFlag(cmd, &f.a.JSON)
	return cmd
}

// table returns rows of cells below each other, each made safe.
func table(rows [][]string) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, cells := range rows {
		for i, cell := range cells {
			cells[i] = report.Clean(app.Shorten(cell))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	_ = w.Flush() // into memory
	return out.String()
}
