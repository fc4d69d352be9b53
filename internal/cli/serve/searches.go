package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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

type reader struct{ push.Options }

// Close implements the interface that app.Dial needs. It does nothing.
func (reader) Close() {}

func searchesCommand(a *app.App) *cobra.Command {
	format, since := "text", "30d"
	const short = "Show what visitors searched for, by the events of the local service"
	cmd := &cobra.Command{Use: "searches", Short: short, Args: cobra.NoArgs}
	app.Choice(cmd, &format, "format", "`FORMAT` of the result", "text", "csv", "json")
	cmd.Flags().StringVar(&since, "since", since, "begin at `DAY`: a date such as 2026/08/14, or 30d for 30 days ago")
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
			return app.Usagef("searches: push.base_url is not \"local\"; " +
				"the management console shows the searches of a hosted service")
		}
		r, end, err := app.Dial(a, cfg, func(o push.Options) reader { return reader{o} })
		if err != nil {
			return err
		}
		defer end()
		found, err := r.report(cmd.Context(), begin.Cutoff(a.Now(), time.UTC))
		if err != nil {
			return err
		}
		return writeReport(a.Whole(), found, format)
	}
	return cmd
}

func (r reader) report(ctx context.Context, from time.Time) (found statistics.Report, err error) {
	since := url.QueryEscape(from.Format(time.RFC3339))
	address := fmt.Sprintf("%s%s%d/%d?from=%s", r.BaseURL, statistics.Path, r.Customer, r.Engine, since)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return found, err
	}
	req.SetBasicAuth(fmt.Sprint(r.Customer), string(r.Key))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return found, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return found, fmt.Errorf("read the searches from %s: %s", r.BaseURL, resp.Status)
	}
	return found, json.NewDecoder(resp.Body).Decode(&found)
}

const shownRows = 40

func writeReport(w io.Writer, r statistics.Report, format string) error {
	if format == "json" {
		out := json.NewEncoder(w)
		out.SetIndent("", "  ")
		return out.Encode(r)
	}
	head := []string{
		"table", "name", "searches", "unique", "without result", "clicks", "mean rank", "positive", "negative",
	}
	cells := func(table string, r statistics.Row) []string {
		return []string{
			table, r.Name, fmt.Sprint(r.Searches), fmt.Sprint(r.Unique), fmt.Sprint(r.WithoutResult),
			fmt.Sprint(r.Clicks), fmt.Sprintf("%.1f", r.MeanRank), fmt.Sprint(r.Positive), fmt.Sprint(r.Negative),
		}
	}
	tables := []struct {
		name string
		rows []statistics.Row
	}{
		{"all", []statistics.Row{r.Total}}, {"query", r.Queries}, {"without result", r.WithoutResult},
		{"page", r.Pages}, {"day", r.Days},
	}
	if format == "csv" {
		var rows [][]string
		for _, t := range tables {
			for _, row := range t.rows {
				rows = append(rows, cells(t.name, row))
			}
		}
		return report.CSVOf(w, head, report.Each(rows), func(row *[]string) []string { return *row })
	}
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(out, "from %s to %s\n", r.From.Format(time.DateOnly), r.To.Format(time.DateOnly))
	for _, t := range tables {
		if len(t.rows) > 0 {
			fmt.Fprintf(out, "\n%s\t%s\n", t.name, strings.Join(head[2:], "\t"))
		}
		for _, row := range t.rows[:min(len(t.rows), shownRows)] {
			row.Name = report.Clean(row.Name)
			fmt.Fprintln(out, strings.Join(cells(t.name, row)[1:], "\t"))
		}
	}
	return out.Flush()
}
