package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"sitesync/diffstore"
	planfile "sitesync/diffstore/plan"
	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/report"
)

type output struct {
	format     string
	detailed   bool // return exit code 10 instead of 0 if there are changes
	movesFile  string
	reportFile string
	rest       document.Command // the command that shows the whole result
}

func (o *output) flags(cmd *cobra.Command) {
	const moves = "write the addresses that moved to `FILE` as CSV (from, to, by), for redirects"
	cmd.Flags().StringVar(&o.movesFile, "moves", "", moves)
	cmd.Flags().StringVar(&o.reportFile, "report", "", "write the report to `FILE` as one HTML page, to mail")
	o.format = "text"
	app.Choice(cmd, &o.format, "format", "`FORMAT` of the result", "text", "json", "html", "csv")
}

// maxStanding is the largest share of failed pages with which a run without new failures still ends with exit
// code 0. A single failed page is always accepted.
const maxStanding = 0.10

// runCode returns the exit code of a run that no error ended.
func (s *session) runCode(run *document.Summary) int {
	c := &run.Counts
	switch {
	case run.Empty:
		return app.ExitFailed
	case c.Held > 0:
		return app.ExitHeld
	case run.New > 0 && (!s.first || run.New > c.Failed):
		return app.ExitNewFailures
	case c.Failed > 1 && float64(c.Failed) > maxStanding*float64(c.Discovered):
		return app.ExitNewFailures
	case c.Fetched+c.NotModified+c.SkippedByHint+c.Failed == 0 &&
		slices.ContainsFunc(run.Hosts, func(h document.Host) bool { return !h.Covered }):
		return app.ExitNewFailures // no page was read
	case s.lost, slices.ContainsFunc(run.Hosts, report.Troubled):
		return app.ExitNewFailures
	}
	return app.ExitDone
}

// show writes the result of a run and returns the exit code as an error. runErr is the error that ended the
// run, or nil. If runErr is not nil, show returns it.
func (s *session) show(ctx context.Context, r *report.Run, file *planfile.File, runErr error) error {
	r.Duration = time.Since(s.began)
	r.Exit = s.runCode(&r.Summary)
	if runErr != nil {
		r.Exit = app.ExitCode(ctx, runErr)
	}
	if s.out.detailed && r.Exit == app.ExitDone && r.Summary.Counts.Calls() > 0 {
		r.Exit = app.ExitChanges
	}
	var err error
	if r.Dry {
		err = s.writeReport(r, file, planned(file))
	} else {
		s.out.rest = s.app.Spell("sitesync history " + document.Command(fmt.Sprintf("%.10s", r.Summary.Run)))
		err = app.ReadLedger(s.cfg, func(ledger *diffstore.Ledger) error {
			return s.writeReport(r, file, ledger.Entries(r.Summary.Run))
		})
	}
	if runErr == nil && err == nil && r.Exit != app.ExitDone {
		return app.CodeError(r.Exit)
	}
	return errors.Join(runErr, err)
}

func (s *session) writeReport(r *report.Run, file *planfile.File, entries iter.Seq2[document.Entry, error]) error {
	out := s.out
	if r.Dry {
		if err := s.takeDetails(file); err != nil {
			return err
		}
	}
	r.Summary.Brakes = s.app.Releases(r.Summary.Brakes)
	r.Site = report.SiteName(file.Header.Target.Origins)
	r.Changes, r.Failures = s.details.join(entries), file.Failures()
	r.Moves, r.Warnings = file.Moves(), file.Warnings()
	if s.details != nil && s.details.note != "" {
		r.Notes = append(r.Notes, s.details.note)
	}
	if r.Exit != app.ExitDone {
		s.app.Speak()
	}
	err := s.note(r)
	if err != nil {
		return err
	}
	switch w := s.app.Stdout; {
	case s.app.Quiet && r.Exit == app.ExitDone:
	case out.format == "json":
		err = report.JSON(w, r)
	case out.format == "html":
		err = report.HTML(w, r)
	case out.format == "csv":
		err = report.CSV(w, r)
	default:
		o := report.TextOptions{All: s.app.Verbose, Color: s.app.Color(), Rest: out.rest, Spell: s.app.Spell}
		err = report.Text(w, r, o)
	}
	if err != nil {
		return err
	}
	err = s.writeFile("--moves", out.movesFile, func(w io.Writer) error {
		cells := func(m document.Move) []string { return []string{m.From, m.To, m.By} }
		return report.CSVOf(w, []string{"from", "to", "by"}, r.Moves, cells)
	})
	if err != nil {
		return err
	}
	return s.writeFile("--report", out.reportFile, func(w io.Writer) error { return report.HTML(w, r) })
}

// writeFile writes the file at path, the value of a flag, unless path is empty. It errs if the
// configuration names the same file.
func (s *session) writeFile(flag, path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	there, _ := os.Stat(path)
	for _, own := range s.cfg.Own() {
		if info, err := os.Stat(own); err == nil && os.SameFile(info, there) {
			return app.Usagef("%s: %s is a file of the configuration; name another file", flag, path)
		}
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // the user chose the path
	if err != nil {
		return fmt.Errorf("%s: %w; name another file", flag, err)
	}
	return errors.Join(write(file), file.Close())
}

func planned(file *planfile.File) iter.Seq2[document.Entry, error] {
	return func(yield func(document.Entry, error) bool) {
		for c, err := range file.Heads() {
			if !yield(c.Entry(c.State, ""), err) || err != nil {
				return
			}
		}
	}
}
