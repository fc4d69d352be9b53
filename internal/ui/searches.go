package ui

import "net/http"

// searches are what visitors searched for, as the command searches says.
type searches struct {
	Queries       []searched
	WithoutResult []searched `json:"without_result"`
	Pages         []searched // that they opened
	Err           string     `json:"-"`
}

// searched is what visitors did with a query or a page.
type searched struct {
	Name, Title      string
	Searches, Clicks int
	WithoutResult    int     `json:"without_result"`
	MeanRank         float64 `json:"mean_rank"` // of what was clicked; 0: not known
}

// searchesAtOnce is how many rows each table shows.
const searchesAtOnce = 50

func (s *Server) showSearches(w http.ResponseWriter, r *http.Request) {
	var page searches
	page.Err = s.o.Run(r.Context(), "searches", "--format", "json").into(&page)
	for _, rows := range []*[]searched{&page.Queries, &page.WithoutResult, &page.Pages} {
		*rows = (*rows)[:min(searchesAtOnce, len(*rows))]
	}
	s.show(w, r, "searches", "Searches", page)
}
