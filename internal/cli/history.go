package cli

import (
	"errors"
	"fmt"
	"strings"
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

func (a *app) statusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status",
		Short: "Show what the ledger holds and how the last run ended",
		Args:  cobra.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return a.withLedger(a.status) },
	}
}

func (a *app) status(ledger *diffstore.Ledger) error {
	target, found, err := ledger.Target()
	if err != nil {
		return err
	}
	if !found {
		a.print("nothing was pushed yet")
		return nil
	}
	a.print("index: customer %d, crawler %s at %s", target.Customer, target.Crawler, target.Base)
	a.print("origins: %s", strings.Join(target.Origins, ", "))
	t, err := tally(ledger)
	if err != nil {
		return err
	}
	a.print("documents: %d acknowledged, %d in doubt, %d refused (%d parked); %d other URLs", t.ok, t.doubt, t.refused, t.parked, t.other)
	if t.failing > 0 {
		a.print("failing: %d URLs; history shows them", t.failing)
	}
	if t.oldest != "" {
		a.print("longest unchecked: %s, read in full %s", t.oldest, day(t.oldestAt))
	}
	run, found, err := ledger.Run("")
	if err != nil || !found {
		return err
	}
	a.print("last run: %s", runLine(&run))
	return nil
}

// counted is what the records add up to.
type counted struct {
	ok, doubt, refused, parked, other, failing int
	oldest                                     string
	oldestAt                                   int64
}

func tally(ledger *diffstore.Ledger) (t counted, err error) {
	err = ledger.Records(func(id string, decode func(brief bool) (*document.Record, error)) error {
		rec, err := decode(true)
		if err != nil {
			return err
		}
		t.add(id, rec)
		return nil
	})
	return t, err
}

func (t *counted) add(id string, rec *document.Record) {
	switch rec.Push {
	case document.PushOK:
		t.ok++
	case document.PushDoubt:
		t.doubt++
	case document.PushRefused:
		t.refused++
	default:
		t.other++
	}
	if rec.Parked() {
		t.parked++
	}
	if rec.Since != "" {
		t.failing++
	}
	if rec.Push == document.PushOK && (t.oldest == "" || rec.Fetched < t.oldestAt) {
		t.oldest, t.oldestAt = id, rec.Fetched
	}
}

func runLine(run *document.Summary) string {
	return fmt.Sprintf("%s %s: %s", run.Run, time.Unix(run.Start, 0).UTC().Format(time.RFC3339), report.Totals(&report.Run{Summary: *run}))
}

func day(unix int64) string { return time.Unix(unix, 0).UTC().Format(time.DateOnly) }

func (a *app) historyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "history [RUN]",
		Short: "Show the runs of the last 90 days, or what one of them did",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.withLedger(func(ledger *diffstore.Ledger) error {
				if len(args) == 1 {
					return a.showRun(ledger, args[0])
				}
				for run, err := range ledger.Runs() {
					if err != nil {
						return err
					}
					a.print("%s", runLine(&run))
				}
				return nil
			})
		},
	}
}

func (a *app) showRun(ledger *diffstore.Ledger, id string) error {
	run, found, err := ledger.Run(id)
	if err != nil {
		return err
	}
	if !found {
		return usageError{fmt.Errorf("there is no run %s; sitesync history lists them", id)}
	}
	a.print("%s", runLine(&run))
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
