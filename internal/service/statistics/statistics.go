// Package statistics counts searches and clicks by query, day and page. It reads the events that package
// events records (specification section 6). Authentication is the work of package web.
//
// A search counts once, even if a visitor looks at several pages of its results.
package statistics

import (
	"context"
	"slices"
	"time"

	"sitesync/internal/service/store"
)

// Row counts the searches and clicks of one query, day or page, or of the whole report.
type Row struct {
	Name          string  `json:"name"`
	Title         string  `json:"title,omitempty"` // title of the page, for rows of pages
	Searches      int     `json:"searches"`
	Unique        int     `json:"unique"`         // searches; the same query in the same session counts once
	WithoutResult int     `json:"without_result"` // searches without any result
	Clicks        int     `json:"clicks"`
	MeanRank      float64 `json:"mean_rank"` // mean rank of the clicked results; 0: unknown
	Positive      int     `json:"positive"`  // number of positive ratings in feedback
	Negative      int     `json:"negative"`
}

// Report sums up a period. Queries are sorted by searches and Pages by clicks, both descending.
type Report struct {
	From          time.Time `json:"from"`
	To            time.Time `json:"to"` // end of the period, exclusive
	Total         Row       `json:"total"`
	Queries       []Row     `json:"queries"`
	WithoutResult []Row     `json:"without_result"` // queries without results, most frequent first
	Days          []Row     `json:"days"`           // named YYYY-MM-DD, ascending
	Pages         []Row     `json:"pages"`
}

// counted is an SQL statement that returns the rows of a report. The first column is the part of the report:
// 0 the total, 1 queries, 2 days, 3 pages. The arguments are the customer, the engine (site search), start
// and end in Unix seconds, and a query. An empty query counts all. A search counts by its event for page 1 of
// the results, so events for later pages are ignored. The table moments gives each of the first 3,700 days a
// row.
const counted = `
WITH RECURSIVE
	moments(at) AS (SELECT ?3 WHERE ?3 < ?4 UNION ALL SELECT at + 86400 FROM moments WHERE at + 86400 < ?4 LIMIT 3700),
	visits AS MATERIALIZED (
		SELECT kind = 'query' AS search, kind = 'click' AS click, date(json->>'at') AS day,
			kind = 'click' AND json->>'$.event.ls' = 'searchresult' AS chosen,
			plain(json->>'$.event.sw') AS query, ifnull(nullif(json->>'$.event.sid', ''), uuid) AS session,
			json->>'$.event.rc' = '0' AS failed, number(json->>'$.event.cli') AS rank,
			ifnull(json->>'$.event.clurl', '') AS page, json->>'$.event.title' AS title,
			lower(json->>'$.event.rating') AS rating
		FROM event
		WHERE customer = ?1 AND engine = ?2 AND moment(json->>'at') >= ?3 AND moment(json->>'at') < ?4
			AND (?5 = '' OR plain(json->>'$.event.sw') IS plain(?5))
			AND (kind <> 'query' OR ifnull(json->>'$.event.pn', '') IN ('', '0', '1'))
		UNION ALL SELECT 0, 0, date(at, 'unixepoch'), 0, NULL, NULL, 0, NULL, '', NULL, NULL FROM moments
	),
	parts AS (
		SELECT 0 AS part, '' AS name, * FROM visits UNION ALL
		SELECT 1, query, * FROM visits WHERE query IS NOT NULL UNION ALL
		SELECT 2, day, * FROM visits UNION ALL
		SELECT 3, page, * FROM visits WHERE chosen
	)
SELECT part, name, iif(part = 3, ifnull(max(title), ''), ''), count(*) FILTER (WHERE search) AS searches,
	count(DISTINCT session || ' ' || ifnull(query, '')) FILTER (WHERE search),
	count(*) FILTER (WHERE search AND failed), count(*) FILTER (WHERE click) AS clicks,
	ifnull(avg(rank) FILTER (WHERE chosen AND rank > 0), 0),
	count(*) FILTER (WHERE rating = 'positive'), count(*) FILTER (WHERE rating = 'negative')
FROM parts GROUP BY part, name
ORDER BY part, CASE part WHEN 1 THEN searches WHEN 3 THEN clicks END DESC, name`

// period is the time between from (inclusive) and to (exclusive).
type period struct{ from, to time.Time }

// summarize sums up an engine's events of a period. If query is not empty, only events of this query are counted.
func summarize(s *store.Store, customer, engine int64, when period, query string) (Report, error) {
	type part struct {
		of int
		Row
	}
	into := func(p *part) []any {
		return []any{
			&p.of, &p.Name, &p.Title, &p.Searches, &p.Unique, &p.WithoutResult, &p.Clicks, &p.MeanRank,
			&p.Positive, &p.Negative,
		}
	}
	var parts []part
	err := s.View(context.Background(), func(tx *store.Tx) (err error) {
		from, to := store.Seconds(when.from), store.Seconds(when.to)
		parts, err = store.Rows(tx, into, counted, customer, engine, from, to, query)
		return err
	})
	rows := [4][]Row{{}, {}, {}, {}}
	for _, p := range parts {
		rows[p.of] = append(rows[p.of], p.Row)
	}
	r := Report{From: when.from, To: when.to, Queries: rows[1], Days: rows[2], Pages: rows[3]}
	if len(rows[0]) > 0 {
		r.Total = rows[0][0]
	}
	r.WithoutResult = slices.DeleteFunc(slices.Clone(r.Queries), func(row Row) bool { return row.WithoutResult == 0 })
	slices.SortStableFunc(r.WithoutResult, func(a, b Row) int { return b.WithoutResult - a.WithoutResult })
	return r, err
}
