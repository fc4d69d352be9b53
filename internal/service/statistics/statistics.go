// Package statistics sums up searches and clicks: from the recorded events (specification
// section 6), by query, day and page.
//
// It guarantees: a search counts once, whatever number of its pages were looked at.
//
// It leaves to others: the events (events), and who may ask (web).
package statistics

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/service/events"
	"sitesync/internal/wire"
)

// Row counts searches and clicks: in all, of a day, of a query or of a page.
type Row struct {
	Name          string  `json:"name"`
	Title         string  `json:"title,omitempty"` // of a page
	Searches      int     `json:"searches"`
	Unique        int     `json:"unique"`         // searches: each query once a session
	WithoutResult int     `json:"without_result"` // searches
	Clicks        int     `json:"clicks"`
	MeanRank      float64 `json:"mean_rank"` // of clicked results; 0: not known
	Positive      int     `json:"positive"`  // ratings in feedback
	Negative      int     `json:"negative"`

	ranked, ranks int
	seen          map[string]bool
}

// Report sums up a time. Queries have the most searched first, Pages the most clicked.
type Report struct {
	From          time.Time `json:"from"`
	To            time.Time `json:"to"` // excluded
	Total         Row       `json:"total"`
	Queries       []Row     `json:"queries"`
	WithoutResult []Row     `json:"without_result"` // those of the queries, by how often that was
	Days          []Row     `json:"days"`           // YYYY-MM-DD, all in order
	Pages         []Row     `json:"pages"`
}

// tally is rows by name.
type tally map[string]*Row

func (t tally) of(name string) *Row {
	if t[name] == nil {
		t[name] = &Row{Name: name, seen: map[string]bool{}}
	}
	return t[name]
}

// sorted returns the rows with the largest first, and those that are alike by name.
func (t tally) sorted(size func(Row) int) []Row {
	all := []Row{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		all = append(all, *t[name])
	}
	slices.SortStableFunc(all, func(a, b Row) int { return size(b) - size(a) })
	return all
}

// maxDays is how many days are listed, whether anything happened on them or not.
const maxDays = 3700

// Read sums up events from one time until before another, those with a query alone unless that is
// empty.
func Read(all iter.Seq2[events.Event, error], from, to time.Time, only string) (Report, error) {
	r, queries, days, pages := Report{From: from, To: to}, tally{}, tally{}, tally{}
	total := queries.of("") // a blank query is none
	for day := from; day.Before(to) && len(days) < maxDays; day = day.AddDate(0, 0, 1) {
		days.of(day.Format(time.DateOnly))
	}
	for e, err := range all {
		if err != nil {
			return r, err
		}
		query := plain(e.Event["sw"])
		if e.At.Before(from) || !e.At.Before(to) || only != "" && query != plain(only) {
			continue
		}
		rows := []*Row{total, days.of(e.At.In(from.Location()).Format(time.DateOnly))}
		if query != "" {
			rows = append(rows, queries.of(query))
		}
		if e.Kind == wire.EventClick && e.Event["ls"] == "searchresult" {
			page := pages.of(e.Event["clurl"])
			page.Title = cmp.Or(e.Event["title"], page.Title)
			rows = append(rows, page)
		}
		for _, row := range rows {
			row.add(e, query)
		}
	}
	r.Total = *total
	delete(queries, "")
	searches := func(r Row) int { return r.Searches }
	r.Queries, r.Pages = queries.sorted(searches), pages.sorted(func(r Row) int { return r.Clicks })
	r.Days = days.sorted(func(Row) int { return 0 })
	maps.DeleteFunc(queries, func(_ string, row *Row) bool { return row.WithoutResult == 0 })
	r.WithoutResult = queries.sorted(func(r Row) int { return r.WithoutResult })
	return r, nil
}

func plain(query string) string { return strings.Join(strings.Fields(strings.ToLower(query)), " ") }

// add adds an event.
func (r *Row) add(e events.Event, query string) {
	switch e.Kind {
	case wire.EventQuery:
		if page := e.Event["pn"]; page != "" && page != "0" && page != "1" {
			return // of a search that was counted
		}
		r.Searches++
		r.seen[cmp.Or(e.Event["sid"], e.ID)+" "+query] = true
		r.Unique = len(r.seen)
		if e.Event["rc"] == "0" {
			r.WithoutResult++
		}
	case wire.EventClick:
		r.Clicks++
		if rank, err := strconv.Atoi(e.Event["cli"]); err == nil && rank > 0 && e.Event["ls"] == "searchresult" {
			r.ranked++
			r.ranks += rank
			r.MeanRank = float64(r.ranks) / float64(r.ranked)
		}
	}
	switch strings.ToLower(e.Event["rating"]) {
	case "positive":
		r.Positive++
	case "negative":
		r.Negative++
	}
}
