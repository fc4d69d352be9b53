package fleet

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/document"
	"sitesync/internal/fleet/bus"
	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/record"
	"sitesync/internal/fleet/site"
	"sitesync/internal/report"
)

type answer struct {
	Site   string        `json:"site"`
	Says   string        `json:"says"`
	Result *lease.Result `json:"result,omitempty"`
}

func (f *fleet) answer(all []answer) error {
	if f.a.JSON {
		return report.Object(f.a.Stdout, map[string]any{"sites": all})
	}
	for _, a := range all {
		f.a.Print("%s: %s", a.Site, a.Says)
	}
	return nil
}

func runCommand(f *fleet) *cobra.Command {
	var now, wait bool
	cmd := &cobra.Command{
		Use: "run SITE... --now", Short: "Make sites due at once, whatever their schedules say",
	}
	f.forSites(cmd, func(ctx context.Context, d *board) error {
		if !now {
			return app.Usagef("run: sites run as scheduled; to run one at once: sitesync fleet run SITE --now")
		}
		sites := site.New(d.Bus)
		since, err := sites.Clock(ctx)
		if err != nil {
			return err
		}
		all, exit := []answer{}, app.ExitDone
		for _, name := range d.names() {
			refused := sites.Now(ctx, name)
			if refused != nil {
				err = errors.Join(err, refused)
				delete(d.sites, name)
				continue
			}
			all = append(all, answer{Site: name, Says: "due now: the next worker that is free runs it"})
		}
		if wait && len(d.sites) > 0 {
			var cut error
			all, exit, cut = await(ctx, d, since)
			err = errors.Join(err, cut)
		}
		return cmp.Or(err, f.answer(all), code(exit))
	})
	cmd.Flags().BoolVar(&now, "now", false, "run them at once")
	cmd.Flags().BoolVar(&wait, "wait", false, "wait for the results, and exit with the code of the worst site")
	return cmd
}

// await waits until each site of d has the result of a run that was due at or after earliest, or until a
// worker has refused the site. It returns the worst exit code.
func await(ctx context.Context, d *board, earliest time.Time) (all []answer, exit int, err error) {
	watch, err := d.States.WatchAll(ctx)
	if err != nil {
		return nil, exit, err
	}
	defer watch.Stop() //nolint:errcheck // it errs only if the watch has ended
	for e := range watch.Updates() {
		var s lease.State
		if e == nil || json.Unmarshal(e.Value(), &s) != nil {
			continue
		}
		of, asked := d.sites[e.Key()]
		switch {
		case !asked:
			continue
		case s.Refused == of.Revision:
			all, exit = append(all, answer{Site: e.Key(), Says: s.Trouble}), worse(exit, app.ExitFailed)
		case s.Last == nil || s.Done.Before(earliest):
			continue
		default:
			says := strings.Join(runRow(&record.Run{Result: *s.Last})[1:], "  ")
			all, exit = append(all, answer{e.Key(), says, s.Last}), worse(exit, s.Last.Exit)
		}
		delete(d.sites, e.Key())
		if len(d.sites) == 0 {
			return all, exit, nil
		}
	}
	err = cmp.Or(ctx.Err(), bus.ErrClosed)
	return all, exit, fmt.Errorf("wait for %s: %w", app.Shorten(strings.Join(d.names(), ", ")), err)
}

func cancelCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "cancel SITE...", Short: "Stop runs of sites, or take sites out of the queue", Args: cobra.MinimumNArgs(1),
		Long: "Stop the runs of sites. What was sent stays sent; the next run goes on from there. A site that waits\n" +
			"for a worker is taken out of the queue; it is due again as its schedule says.",
	}
	cmd.RunE = f.onBoard(-1, func(ctx context.Context, d *board, names []string) error {
		all := []answer{}
		for _, name := range names {
			says, err := cancel(ctx, d.Bus, d.sites[name])
			if err != nil {
				return fmt.Errorf("cancel %s: %w", name, err)
			}
			all = append(all, answer{Site: name, Says: says})
		}
		return f.answer(all)
	})
	return cmd
}

func cancel(ctx context.Context, b *bus.Bus, s site.Site) (says string, err error) {
	wait, stop := context.WithTimeout(ctx, 5*time.Second)
	defer stop()
	answer, err := b.Conn.RequestWithContext(wait, bus.Cancel(s.Name), nil)
	if err == nil {
		return "the worker " + app.Shorten(string(answer.Data)) + " stops its run", nil
	}
	if !errors.Is(err, nats.ErrNoResponders) {
		return "", err
	}
	sites := site.New(b)
	now, err := sites.Clock(ctx)
	if err == nil {
		err = b.Queue.Purge(ctx, jetstream.WithPurgeSubject(bus.Due("*", s.Name)))
	}
	if err != nil {
		return "", err
	}
	return "no worker runs it; it is due again as its schedule says", sites.Schedule(ctx, s, now)
}

func figures(runs []record.Run) []record.Run {
	for i := range runs {
		runs[i].Report, runs[i].Log = "", ""
	}
	return append([]record.Run{}, runs...)
}

func runRow(r *record.Run) []string {
	did := report.Counted(&document.Summary{
		Counts: r.Counts, Kinds: r.Kinds, New: r.New, Stopped: r.Stopped, Complete: true,
	})
	if r.Stopped != "" {
		did += "; " + r.Stopped
	}
	took := (time.Duration(r.Took) * time.Millisecond).Round(time.Second / 10)
	id := fmt.Sprintf("%.10s", cmp.Or(r.Run, "-"))
	return []string{r.Site, id, moment(r.Start), took.String(), ended(r.Exit), app.Shorten(did), r.Worker}
}

func runsCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{Use: "runs [SITE]", Short: "Show the last runs of sites", Args: cobra.MaximumNArgs(1)}
	cmd.RunE = f.onBoard(1, func(ctx context.Context, d *board, names []string) (err error) {
		var runs []record.Run
		for name := range d.sites {
			if last := d.states[name].Last; last != nil {
				runs = append(runs, record.Run{Site: name, Result: *last})
			}
		}
		slices.SortFunc(runs, func(a, b record.Run) int {
			return cmp.Or(b.Start.Compare(a.Start), strings.Compare(a.Site, b.Site))
		})
		if len(names) > 0 {
			runs, err = record.Read(ctx, d.Bus, names[0])
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
	return cmd
}

func (f *fleet) tell(result any, rows [][]string) error {
	if f.a.JSON {
		return report.Object(f.a.Stdout, result)
	}
	_, err := fmt.Fprint(f.a.Stdout, table(rows))
	return err
}

func logsCommand(f *fleet) *cobra.Command {
	cmd := &cobra.Command{
		Use: "logs SITE [RUN]", Args: cobra.RangeArgs(1, 2),
		Short: "Show the report and the messages of a site's last run, or of RUN",
	}
	cmd.RunE = f.onBoard(1, func(ctx context.Context, d *board, args []string) error {
		runs, err := record.Read(ctx, d.Bus, args[0])
		if err != nil {
			return err
		}
		i := slices.IndexFunc(runs, func(r record.Run) bool {
			return len(args) == 1 || r.Run != "" && strings.HasPrefix(r.Run, args[1])
		})
		switch {
		case i < 0:
			return app.Usagef("%s has no such run; sitesync fleet runs %s lists those that are kept", args[0], args[0])
		case f.a.JSON:
			return report.Object(f.a.Stdout, runs[i])
		}
		text := strings.TrimSpace(strings.Join(runRow(&runs[i]), "  ") + "\n\n" + runs[i].Report + "\n" + runs[i].Log)
		_, err = fmt.Fprintln(f.a.Stdout, report.CleanLines(here(text, args[0])))
		return err
	})
	return cmd
}

func table(rows [][]string) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, cells := range rows {
		for i, cell := range cells {
			cells[i] = report.Clean(app.Shorten(cell))
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	_ = w.Flush()
	return out.String()
}
