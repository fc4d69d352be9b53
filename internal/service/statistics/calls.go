package statistics

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
)

const maxPageParameter = 100_000

// Path is the path prefix of the report on an engine (a site search), an extension of the specification.
const Path = "/_/searches/"

// Routes returns the operations for the report, and for the statistics of the hosted service's public API.
// The parameters from and to are RFC 3339 times. The default period is the last 30 days. Days are in UTC. No
// response has figures of an earlier period for comparison.
func Routes(in *store.Store, now func() time.Time) (routes []web.Route) {
	const v3 = "GET /api/v3/{customer}/{engine}/statistics/"
	for pattern, shape := range map[string]func(Report, url.Values) any{
		"GET " + Path + "{customer}/{engine}": func(r Report, _ url.Values) any { return r },
		v3 + "searchHistogram":                histogram, v3 + "totalSearches": totals, v3 + "clickCounts": clicks,
	} {
		routes = append(routes, web.Route{Pattern: pattern, Handle: func(c *web.Call) (web.Reply, error) {
			asked, to := c.Request.URL.Query(), now().UTC()
			from := to.AddDate(0, 0, -30)
			for name, at := range map[string]*time.Time{"from": &from, "to": &to} {
				if text := asked.Get(name); text != "" {
					var err error
					if *at, err = time.Parse(time.RFC3339, text); err != nil {
						return web.Reply{}, web.BadRequest("%s must be a time such as 2026-08-14T22:00:00Z", name)
					}
				}
			}
			r, err := summarize(in, c.Customer, c.Engine, period{from.UTC(), to.UTC()}, asked.Get("query"))
			return web.OK(shape(r, asked), err)
		}})
	}
	return routes
}

func histogram(r Report, asked url.Values) any {
	type entry struct {
		Key   string
		Value int
	}
	all := map[string][]entry{"totalSearches": {}, "uniqueSearches": {}}
	for _, day := range r.Days {
		n := day.Searches
		switch kind := asked.Get("type"); {
		case strings.HasPrefix(kind, "unsuccessful"): // clients send both "unsuccessful" and "unsuccessfull"
			n = day.WithoutResult
		case kind == "successful":
			n -= day.WithoutResult
		}
		all["totalSearches"] = append(all["totalSearches"], entry{day.Name, n})
		all["uniqueSearches"] = append(all["uniqueSearches"], entry{day.Name, min(n, day.Unique)})
	}
	return all
}

func totals(r Report, asked url.Values) any {
	n := r.Total.Searches
	if asked.Get("onlyIncludeUnique") == "true" {
		n = r.Total.Unique
	}
	return map[string]any{"withinCurrentPeriod": n, "withinPreviousPeriod": nil}
}

func clicks(r Report, asked url.Values) any {
	number := func(name string, otherwise int) int {
		n, err := strconv.Atoi(asked.Get(name))
		if err != nil || n < 1 || n > maxPageParameter {
			return otherwise
		}
		return n
	}
	size, page := number("limit", 10), number("pageNumber", 1)-1
	items := []map[string]any{}
	for _, row := range r.Pages[min(len(r.Pages), page*size):min(len(r.Pages), (page+1)*size)] {
		items = append(items, map[string]any{"title": row.Title, "clickTarget": row.Name, "count": row.Clicks})
	}
	return []map[string]any{{"pageNumber": page, "pageSize": size, "totalItems": len(r.Pages), "items": items}}
}
