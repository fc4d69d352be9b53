package run

import (
	"context"
	"errors"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/report"
)

// output is how a result is written.
type output struct {
	format   string // text, json, html or csv
	detailed bool   // exit code 10 in place of 0 when there are changes
	moves    string // file for the addresses that moved; empty: none
}

func format(asJSON bool) string {
	if asJSON {
		return "json"
	}
	return "text"
}

// show writes the result of a run and returns its exit code as an error, or what
// ended the run.
func (s *session) show(ctx context.Context, r *report.Run, plan *planfile.File, runErr error, out output) (err error) {
	r.Exit = runCode(r.Summary)
	if runErr != nil {
		r.Exit = app.ExitCode(ctx, runErr)
	}
	if c := r.Summary.Counts; out.detailed && r.Exit == app.ExitDone && c.Put+c.Patch+c.Delete+c.BulkDelete+c.Queue > 0 {
		r.Exit = app.ExitChanges
	}
	r.Failures, r.Moves, r.Warnings = plan.Failures(), plan.Moves(), s.warnings(plan)
	if r.Dry {
		r.Entries = planned(plan)
	} else {
		ledger, err := diffstore.OpenRead(s.cfg.Store.Path)
		if err != nil {
			return errors.Join(runErr, err)
		}
		defer func() { err = errors.Join(err, ledger.Close()) }()
		r.Entries = ledger.Entries(r.Summary.Run)
	}
	if r.Exit != app.ExitDone {
		s.app.Speak()
	}
	if !s.app.Quiet || r.Exit != app.ExitDone {
		if err := write(s.app, r, out.format); err != nil {
			return errors.Join(runErr, err)
		}
	}
	if err := writeMoves(plan, out.moves); err != nil {
		return errors.Join(runErr, err)
	}
	switch {
	case runErr != nil:
		return runErr
	case r.Exit != app.ExitDone:
		return app.CodeError(r.Exit)
	}
	return nil
}

func write(a *app.App, r *report.Run, format string) error {
	switch format {
	case "json":
		return report.JSON(a.Stdout, r)
	case "html":
		return report.HTML(a.Stdout, r)
	case "csv":
		return report.CSV(a.Stdout, r)
	case "text":
		return report.Text(a.Stdout, r, report.TextOptions{All: a.Verbose, Color: a.Color == "always" || a.Color == "auto" && app.Terminal(a.Stdout)})
	}
	return app.Usagef("--format is %q; it takes text, json, html or csv", format)
}
