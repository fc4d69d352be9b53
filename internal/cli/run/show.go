package run

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

// output is how a result is written.
type output struct {
	format   string // text, json, html or csv; empty: text
	json     bool   // the format is json
	detailed bool   // exit code 10 in place of 0 when there are changes
	moves    string // file for the addresses that moved; empty: none
}

// flags adds the flags of everything that shows a plan.
func (o *output) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.moves, "moves", "", "write the addresses that moved to `FILE` as CSV (from, to, by), for redirects")
}

// maxFailedShare is the share of unread pages above which a run does not count as
// done, new failures or not.
const maxFailedShare = 0.01

// runCode returns the exit code of a run that went to its end.
func runCode(s document.Summary) int {
	if s.Counts.Held > 0 {
		return app.ExitHeld
	}
	if s.New > 0 || float64(s.Counts.Failed) > maxFailedShare*float64(s.Counts.Discovered) {
		return app.ExitNewFailures
	}
	for _, h := range s.Hosts {
		if h.State != document.HostOK || len(h.Alarms) > 0 {
			return app.ExitNewFailures
		}
	}
	return app.ExitDone
}

// show writes the result of a run and returns its exit code as an error, or what
// ended the run.
func (s *session) show(ctx context.Context, r *report.Run, file *planfile.File, runErr error, out output) error {
	r.Exit = runCode(r.Summary)
	if s.lost && r.Exit == app.ExitDone {
		r.Exit = app.ExitNewFailures
	}
	if runErr != nil {
		r.Exit = app.ExitCode(ctx, runErr)
	}
	if c := r.Summary.Counts; out.detailed && r.Exit == app.ExitDone && c.Put+c.Patch+c.Delete+c.BulkDelete+c.Queue > 0 {
		r.Exit = app.ExitChanges
	}
	r.Failures, r.Moves, r.Warnings = file.Failures(), file.Moves(), s.warnings(file)
	var err error
	if r.Dry {
		r.Entries = planned(file)
		err = s.write(r, out)
	} else {
		err = app.ReadLedger(s.cfg, func(ledger *diffstore.Ledger) error {
			r.Entries = ledger.Entries(r.Summary.Run)
			return s.write(r, out)
		})
	}
	if err == nil && out.moves != "" {
		if moves, openErr := os.OpenFile(out.moves, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); openErr != nil {
			err = fmt.Errorf("write moves: %w; --moves names another file", openErr)
		} else {
			err = errors.Join(report.MovesCSV(moves, r.Moves), moves.Close())
		}
	}
	if runErr == nil && err == nil && r.Exit != app.ExitDone {
		return app.CodeError(r.Exit)
	}
	return errors.Join(runErr, err)
}

func (s *session) write(r *report.Run, out output) error {
	if r.Exit != app.ExitDone {
		s.app.Speak()
	} else if s.app.Quiet {
		return nil
	}
	switch {
	case out.json || out.format == "json":
		return report.JSON(s.app.Stdout, r)
	case out.format == "html":
		return report.HTML(s.app.Stdout, r)
	case out.format == "csv":
		return report.CSV(s.app.Stdout, r)
	}
	return report.Text(s.app.Stdout, r, report.TextOptions{All: s.app.Verbose, Color: s.app.Color()})
}

// planned yields the changes of a plan as results show them.
func planned(file *planfile.File) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		for c, err := range file.Heads() {
			if !yield(c.Entry(c.State, ""), err) || err != nil {
				return
			}
		}
	}
}

// warnings yields those of the plan, and those that came up since.
func (s *session) warnings(file *planfile.File) iter.Seq2[document.Warning, error] {
	return func(yield func(document.Warning, error) bool) {
		for w, err := range file.Warnings() {
			if !yield(w, err) {
				return
			}
		}
		for _, w := range s.warned {
			if !yield(w, nil) {
				return
			}
		}
	}
}
