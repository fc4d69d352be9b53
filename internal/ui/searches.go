package ui

import "net/http"

// searches is the JSON output of the command "searches": what visitors of the site searched for.
type searches struct {
	Queries       []searched
	WithoutResult []searched `json:"without_result"`
	Pages         []searched // pages that visitors opened from search results
	Err           string     `json:"-"`
}

type searched struct {
	Name, Title      string
	Searches, Clicks int
	WithoutResult    int     `json:"without_result"`
	MeanRank         float64 `json:"mean_rank"` // mean rank of the clicked results; 0 if unknown
}

const searchesAtOnce = 50

func (s *Server) showSearches(w http.ResponseWriter, r *http.Request) {
	var page searches
	page.Err = s.o.Run(r.Context(), "searches", "--format", "json").into(&page)
	for _, rows := range []*[]searched{&page.Queries, &page.WithoutResult, &page.Pages} {
		*rows = (*rows)[:min(searchesAtOnce, len(*rows))]
	}
	s.show(w, r, "searches", "Searches", page)
}
