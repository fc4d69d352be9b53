package ui

import (
	"context"
	"net/http"
	"slices"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/report"
)

const (
	maxRunsInOverview = 14
	maxRunsInNights   = 90
)

type nights struct {
	Runs   []document.Summary // past runs, the latest first
	Charts []*chart
	Err    string
}

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
	sizes := make([]int, len(n.Runs)) // documents after each run, computed from today's number
	for i := range n.Runs {
		kinds := n.Runs[i].Kinds
		sizes[i] = max(0, size)
		size += kinds.Deleted - kinds.New
	}
	documents, sent := newChart("Documents in the index"), newChart("Changes sent")
	held, failed := newChart("Held"), newChart("Failed")
	for i := range slices.Backward(n.Runs) {
		if run, c := &n.Runs[i], &n.Runs[i].Counts; !run.Unsent {
			documents.add(run, sizes[i])
			sent.add(run, c.Put+c.Patch+c.Delete+c.BulkDelete+c.Queue)
			held.add(run, c.Held)
			failed.add(run, c.Failed)
		}
	}
	n.Charts = []*chart{documents, sent, held, failed}
	return n
}

func (s *Server) showNight(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("run")
	var page night
	why := "The history has no run " + id + ". The page Nights lists the runs."
	err := s.o.Ledger(r.Context(), func(l Ledger) error {
		run, found, err := l.Run(id)
		if err != nil || !found {
			return err
		}
		why = ""
		row := func(e *document.Entry) change { return change{Entry: *e} }
		changes, err := readChanges(r.Context(), l.Entries(id), row)
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

// chart is a bar chart with one bar for each run. The chart is Wide units wide and Most units high.
type chart struct {
	Title      string
	Nights     []chartNight
	Wide, Most int
	Last       int
}

type chartNight struct {
	Day   string
	Value int
}

func newChart(title string) *chart { return &chart{Title: title, Wide: maxRunsInOverview, Most: 1} }

func (c *chart) add(run *document.Summary, value int) {
	c.Nights = append(c.Nights, chartNight{time.Unix(run.Start, 0).Local().Format("2 January"), value})
	c.Wide, c.Most, c.Last = max(c.Wide, len(c.Nights)), max(c.Most, value), value
}
