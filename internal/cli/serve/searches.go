package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"sitesync/internal/cli/app"
	"sitesync/internal/config"
	"sitesync/internal/report"
	"sitesync/internal/service/statistics"
	"sitesync/push"
)

// reader asks the local service for its report.
type reader struct{ o push.Options }

// Close does nothing: there is nothing to close.
func (*reader) Close() {}

func searchesCommand(a *app.App) *cobra.Command {
	format, since := "text", "30d"
	cmd := &cobra.Command{Use: "searches", Short: "Show what visitors searched for, by the events of the local service", Args: cobra.NoArgs}
	app.Choice(cmd, &format, "format", "`FORMAT` of the result", "text", "csv", "json")
	cmd.Flags().StringVar(&since, "since", since, "begin at the `DAY`: 30d and 1y are counted back, 2026/08/14 is a date")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		begin, err := config.ParseBefore(since)
		if err != nil {
			return app.Usagef("--since: write it as 30d, 1y or 2026/08/14")
		}
		cfg, _, err := settings(a, cmd)
		if err != nil {
			return err
		}
		if !cfg.Push.Local() {
			return app.Usagef("searches are those of the local service: the management console shows those of a hosted one")
		}
		r, end, err := app.Dial(a, cfg, app.ClientOptions, func(o push.Options) *reader { return &reader{o} })
		if err != nil {
			return err
		}
		defer end()
		found, err := r.report(cmd.Context(), begin.Cutoff(a.Now(), time.UTC))
		if err != nil {
			return err
		}
		text, err := written(found, format)
		if err == nil {
			_, err = io.WriteString(a.Whole(), text)
		}
		return err
	}
	return cmd
}

// report reads the report from a time on.
func (r *reader) report(ctx context.Context, from time.Time) (found statistics.Report, err error) {
	address := fmt.Sprintf("%s%s%d/%d?from=%s", r.o.BaseURL, statistics.Path, r.o.Customer, r.o.Engine, url.QueryEscape(from.Format(time.RFC3339)))
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return found, err
	}
	req.SetBasicAuth(fmt.Sprint(r.o.Customer), string(r.o.Key))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return found, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return found, fmt.Errorf("read the searches from %s: %s", r.o.BaseURL, resp.Status)
	}
	return found, json.NewDecoder(resp.Body).Decode(&found)
}

// written returns a report in a format: text shows the first rows of each table.
func written(r statistics.Report, format string) (string, error) {
	var out strings.Builder
	if format == "json" {
		body, err := json.MarshalIndent(r, "", "  ")
		return string(body) + "\n", err
	}
	most := math.MaxInt
	if format == "text" {
		most = 40
	}
	rows := func(yield func([]string, error) bool) {
		for _, part := range []struct {
			name string
			rows []statistics.Row
		}{{"all", []statistics.Row{r.Total}}, {"query", r.Queries}, {"without result", r.WithoutResult}, {"page", r.Pages}, {"day", r.Days}} {
			for _, row := range part.rows[:min(len(part.rows), most)] {
				counts := fmt.Sprintf("%d %d %d %d %.1f %d %d", row.Searches, row.Unique, row.WithoutResult, row.Clicks, row.MeanRank, row.Positive, row.Negative)
				if !yield(append([]string{part.name, row.Name}, strings.Fields(counts)...), nil) {
					return
				}
			}
		}
	}
	head := []string{"table", "name", "searches", "unique", "without result", "clicks", "mean rank", "positive", "negative"}
	if format == "csv" {
		err := report.CSVOf(&out, head, rows, func(cells []string) []string { return cells })
		return out.String(), err
	}
	w, table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0), ""
	for cells := range rows { //nolint:errcheck // it never errs
		if table != cells[0] {
			table = cells[0]
			fmt.Fprintf(w, "\n%s\t%s\n", table, strings.Join(head[2:], "\t"))
		}
		cells[1] = report.Clean(cells[1])
		fmt.Fprintln(w, strings.Join(cells[1:], "\t"))
	}
	err := w.Flush()
	return fmt.Sprintf("from %s to %s\n%s", r.From.Format(time.DateOnly), r.To.Format(time.DateOnly), out.String()), err
}
