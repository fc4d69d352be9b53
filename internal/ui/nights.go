package ui

import (
	"context"
	"net/http"
	"slices"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/report"
)

// How many runs the overview shows, and how many a timeline.
const (
	nightsAtHome = 14
	nightsAtOnce = 90
)

// nights are the last runs, the latest first.
type nights struct {
	Runs   []document.Summary
	Charts []chart
	Err    string
}

// night is one run with its changes.
type night struct {
	Run  document.Summary
	View *view[change]
}

func (s *Server) readNights(ctx context.Context, most int) *nights {
	n, size := &nights{}, 0
	err := s.o.Ledger(ctx, func(l Ledger) error {
		for run, err := range l.History() {
			if err != nil {
				return err
			}
			if len(n.Runs) == most {
				break
			}
			n.Runs = append(n.Runs, run)
		}
		counts, err := l.Count()
		size = counts[document.PushOK]
		return err
	})
	if err != nil {
		n.Err = "The history can't be read now: " + err.Error()
	}
	sizes := map[string]int{} // acknowledged documents after each run, counted back from now
	for i := range n.Runs {
		kinds := n.Runs[i].ByKind()
		sizes[n.Runs[i].Run] = max(0, size)
		size += kinds.Deleted - kinds.New
	}
	for _, c := range []struct {
		title string
		of    func(*document.Counts) int
	}{
		{"Documents in the index", nil},
		{"Changes sent", func(c *document.Counts) int { return c.Put + c.Patch + c.Delete + c.BulkDelete + c.Queue }},
		{"Held", func(c *document.Counts) int { return c.Held }},
		{"Failed", func(c *document.Counts) int { return c.Failed }},
	} {
		var points []point
		for i := range slices.Backward(n.Runs) {
			if run := &n.Runs[i]; !run.Unsent {
				value := sizes[run.Run]
				if c.of != nil {
					value = c.of(&run.Counts)
				}
				points = append(points, point{time.Unix(run.Start, 0).Local().Format("2 January"), value})
			}
		}
		n.Charts = append(n.Charts, newChart(c.title, points))
	}
	return n
}

func (s *Server) showNight(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("run")
	var page night
	why := "The history has no run " + id + ". The page Nights lists the runs."
	err := s.o.Ledger(r.Context(), func(l Ledger) error {
		run, found, err := l.Run(id)
		if err != nil || !found {
			return err
		}
		why = ""
		changes, err := readChanges(r.Context(), l.Entries(id), func(e *document.Entry) change { return change{Entry: *e} })
		if err != nil {
			return err
		}
		page = night{run, changes.view(r.URL.Query())}
		page.View.Past = true
		return addTitles(l, page.View.Rows)
	})
	if err != nil {
		why = "The history can't be read now: " + err.Error()
	}
	if why != "" {
		s.lack(w, r, why)
		return
	}
	s.show(w, r, "night", report.Outcome(&page.Run), page)
}

// point is one value of a chart.
type point struct {
	Label string
	Value int
}

// bar is where a chart shows a point.
type bar struct {
	point
	X, Y, W, H float64
}

// chart is a row of bars, drawn in a box of chartWidth by chartHeight. Beside it stands a
// table of the same values.
type chart struct {
	Title string
	Bars  []bar
	Last  int
}

const (
	chartWidth  = 300.0
	chartHeight = 60.0
)

func newChart(title string, points []point) chart {
	c, most := chart{Title: title}, 0
	for _, p := range points {
		most, c.Last = max(most, p.Value), p.Value
	}
	step := chartWidth / float64(max(14, len(points)))
	for i, p := range points {
		height := 1.0 // a night of nothing is seen as well
		if most > 0 {
			height = max(1, float64(p.Value)/float64(most)*chartHeight)
		}
		c.Bars = append(c.Bars, bar{p, float64(i) * step, chartHeight - height, step * 0.8, height})
	}
	return c
}
