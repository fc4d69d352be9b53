package ledger

import (
	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/cli/app"
	"sitesync/internal/report"
)

func historyCommand(a *app.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history [RUN]",
		Short: "Show the runs of the last 90 days, or what one of them did",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.WithLedger(func(ledger *diffstore.Ledger) error {
				switch {
				case len(args) == 1:
					return showRun(a, ledger, args[0], asJSON)
				case asJSON:
					return report.Runs(a.Stdout, ledger.History())
				}
				for run, err := range ledger.History() {
					if err != nil {
						return err
					}
					a.Print("%s", report.PastLine(&run))
				}
				return nil
			})
		},
	}
	app.JSONFlag(cmd, &asJSON)
	return cmd
}

func showRun(a *app.App, ledger *diffstore.Ledger, id string, asJSON bool) error {
	run, found, err := ledger.Run(id)
	switch {
	case err != nil:
		return err
	case !found:
		return app.Usagef("there is no run %s; sitesync history lists them", id)
	case asJSON:
		return report.PastRun(a.Stdout, &run, ledger.Entries(id))
	}
	a.Print("%s", report.PastLine(&run))
	if run.Bulk != nil {
		a.Print("%s", report.BulkLine(run.Bulk))
	}
	for i := range run.Scope {
		a.Print("out of scope: %s", report.ScopeLine(&run.Scope[i]))
	}
	for i := range run.Health {
		a.Print("%s", report.HealthLine(&run.Health[i]))
	}
	for e, err := range ledger.Entries(id) {
		if err != nil {
			return err
		}
		a.Print("%s", report.EntryLine(&e))
		if proof := report.EvidenceLine(&e); proof != "" {
			a.Print("%s", proof)
		}
	}
	return nil
}
