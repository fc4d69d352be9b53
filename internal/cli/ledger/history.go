package ledger

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

const historyLines = 20

func historyCommand(a *app.App) *cobra.Command {
	const short = "Show the runs of the last 90 days, or what one of them did"
	cmd := &cobra.Command{Use: "history [RUN|last]", Short: short, Args: cobra.MaximumNArgs(1)}
	cmd.RunE = a.RunReading(func(ledger *diffstore.Ledger, args []string) error {
		switch {
		case len(args) == 1:
			return showRun(a, ledger, args[0])
		case a.JSON:
			return report.Runs(a.Stdout, ledger.History())
		}
		n := 0
		for run, err := range ledger.History() {
			if err != nil {
				return err
			}
			n++
			if n <= historyLines || a.Verbose {
				a.Print("%s", report.PastLine(&run))
			}
		}
		switch {
		case n == 0:
			a.Print("there is no run yet; %s makes one", a.Spell("sitesync sync"))
		case n > historyLines && !a.Verbose:
			a.Print("… and %d earlier; -v shows all", n-historyLines)
		}
		return nil
	})
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	app.JSONFlag(cmd, &a.JSON)
	return cmd
}

func showRun(a *app.App, ledger *diffstore.Ledger, name string) error {
	run, err := a.FindRun(ledger, name)
	run.Brakes = a.Releases(run.Brakes)
	switch {
	case err != nil:
		return err
	case a.JSON:
		return report.PastRun(a.Stdout, &run, ledger.Entries(run.Run))
	}
	target, _, err := ledger.Target()
	if err != nil {
		return err
	}
	r := report.Run{
		Summary: run, Site: report.SiteName(target.Origins), Duration: time.Duration(run.Took) * time.Millisecond,
		Notes: []string{
			"run " + run.Run, time.Unix(run.Start, 0).Format("2006-01-02 15:04: ") + report.Outcome(&run),
		},
		Failures: none[document.Failure], Moves: none[document.Move], Warnings: none[document.Warning],
		Changes: func(yield func(report.Change, error) bool) {
			for e, err := range ledger.Entries(run.Run) {
				if !yield(report.Change{Entry: e}, err) {
					return
				}
			}
		},
	}
	return report.Text(a.Stdout, &r, report.TextOptions{All: true, Color: a.Color()})
}

func none[T any](func(T, error) bool) {}

func lastRun(s *document.Summary) string {
	how := "fine"
	switch {
	case s.Unsent:
		how = "failed"
	case s.Exit != app.ExitDone:
		how = "had problems"
	}
	return fmt.Sprintf("last run %s (%s: %s)", how, time.Unix(s.Start, 0).Format("2 January, 15:04"), report.Outcome(s))
}
