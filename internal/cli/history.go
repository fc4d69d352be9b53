package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// withLedger runs fn on the configuration's ledger, opened for reading.
func (a *app) withLedger(fn func(*diffstore.Ledger) error) (err error) {
	cfg, err := a.load()
	if err == nil {
		err = cfg.Require("store")
	}
	if err != nil {
		return err
	}
	ledger, err := diffstore.OpenRead(cfg.Store.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ledger.Close()) }()
	return fn(ledger)
}

func runLine(run *document.Summary) string {
	head := fmt.Sprintf("%s %s: ", run.Run, time.Unix(run.Start, 0).UTC().Format(time.RFC3339))
	switch {
	case run.Unsent:
		return head + report.Ending(run)
	case run.Stopped != "": // which the totals say
		return head + report.Totals(&report.Run{Summary: *run})
	}
	return head + report.Totals(&report.Run{Summary: *run}) + "; " + report.Ending(run)
}

func day(unix int64) string { return time.Unix(unix, 0).UTC().Format(time.DateOnly) }

func (a *app) historyCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history [RUN]",
		Short: "Show the runs of the last 90 days, or what one of them did",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.withLedger(func(ledger *diffstore.Ledger) error {
				switch {
				case len(args) == 1:
					return a.showRun(ledger, args[0], asJSON)
				case asJSON:
					return report.Runs(a.stdout, ledger.History())
				}
				for run, err := range ledger.History() {
					if err != nil {
						return err
					}
					a.print("%s", runLine(&run))
				}
				return nil
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object")
	return cmd
}

func (a *app) showRun(ledger *diffstore.Ledger, id string, asJSON bool) error {
	run, found, err := ledger.Run(id)
	if err != nil {
		return err
	}
	if !found {
		return usageError{fmt.Errorf("there is no run %s; sitesync history lists them", id)}
	}
	if asJSON {
		return report.PastRun(a.stdout, &run, ledger.Entries(id))
	}
	a.print("%s", runLine(&run))
	if run.Bulk != nil {
		a.print("%s", report.BulkLine(run.Bulk))
	}
	for i := range run.Scope {
		a.print("out of scope: %s", report.ScopeLine(&run.Scope[i]))
	}
	for i := range run.Health {
		a.print("%s", report.HealthLine(&run.Health[i]))
	}
	for e, err := range ledger.Entries(id) {
		if err != nil {
			return err
		}
		a.print("%s", report.EntryLine(&e))
		if proof := report.EvidenceLine(&e); proof != "" {
			a.print("%s", proof)
		}
	}
	return nil
}
