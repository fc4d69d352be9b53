// Package statistics counts searches and clicks by query, day and page. It reads recorded events
// (specification section 6).
//
// It guarantees: a search counts once, no matter how many pages of its results were viewed.
//
// It leaves to others: recording events (package events) and authentication (package web).
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

// Row counts the searches and clicks of one query, day or page, or of the whole report.
type Row struct {
	Name          string  `json:"name"`
	Title         string  `json:"title,omitempty"` // title of the page, for rows of pages
	Searches      int     `json:"searches"`
	Unique        int     `json:"unique"`         // searches, where each query counts once per session
	WithoutResult int     `json:"without_result"` // searches without any result
	Clicks        int     `json:"clicks"`
	MeanRank      float64 `json:"mean_rank"` // mean rank of the clicked results; 0: unknown
	Positive      int     `json:"positive"`  // ratings in feedback
	Negative      int     `json:"negative"`

	ranked, ranks int
	seen          map[string]bool
}

// Report sums up a period. Queries are sorted by searches and Pages by clicks, both descending.
type Report struct {
	From          time.Time `json:"from"`
	To            time.Time `json:"to"` // exclusive
	Total         Row       `json:"total"`
	Queries       []Row     `json:"queries"`
	WithoutResult []Row     `json:"without_result"` // queries without results, most frequent first
	Days          []Row     `json:"days"`           // named YYYY-MM-DD, ascending
	Pages         []Row     `json:"pages"`
}

type tally map[string]*Row

func (t tally) of(name string) *Row {
	if t[name] == nil {
		t[name] = &Row{Name: name, seen: map[string]bool{}}
	}
	return t[name]
}

func (t tally) sorted(size func(Row) int) []Row {
	all := []Row{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		all = append(all, *t[name])
	}
	slices.SortStableFunc(all, func(a, b Row) int { return size(b) - size(a) })
	return all
}

// maxDays limits the days that Read lists even if nothing happened on them.
const maxDays = 3700

// Read sums up the events from one time (inclusive) to another (exclusive). If only is not empty, Read
// counts only events with that query.
func Read(all iter.Seq2[events.Event, error], from, to time.Time, only string) (Report, error) {
	r, queries, days, pages := Report{From: from, To: to}, tally{}, tally{}, tally{}
	total := queries.of("") // "" can't be the name of a query's row
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

func (r *Row) add(e events.Event, query string) {
	switch e.Kind {
	case wire.EventQuery:
		if page := e.Event["pn"]; page != "" && page != "0" && page != "1" {
			return // a further page of a search that was already counted
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
