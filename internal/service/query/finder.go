package query

import (
	"net/http"
	"time"

	"sitesync/internal/service/fault"
	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/tools"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// Finder answers what visitors ask.
type Finder struct {
	Store  *store.Store
	Tools  *tools.Tools
	Signer web.Signer         // of the IDs in answers
	Feeds  map[int64][]string // the crawlers that feed an engine; all of its customer where it has none
	Now    func() time.Time
}

// Routes are search and autocomplete, v4 and v3 with the same answers, and the answers and
// summaries of v4.
func (f *Finder) Routes() (routes []web.Route) {
	const takes = web.SiteKey | web.Basic
	for _, version := range []string{"v3", "v4"} {
		engine := "/api/" + version + "/{customer}/{engine}/"
		routes = append(routes,
			web.Route{Pattern: "POST " + engine + "search", Endpoint: fault.EndpointSearch, Takes: takes, Handle: f.search},
			web.Route{Pattern: "GET " + engine + "autocomplete", Endpoint: fault.EndpointAutocomplete, Takes: takes, Handle: f.autocomplete})
	}
	const v4 = "POST /api/v4/{customer}/{engine}/search/"
	return append(routes,
		web.Route{Pattern: v4 + "answer", Endpoint: fault.EndpointAnswer, Takes: takes, Handle: f.chat},
		web.Route{Pattern: v4 + "summarize", Endpoint: fault.EndpointSummarize, Takes: takes, Handle: f.summarize})
}

// synonyms returns the customer's synonym groups.
func (f *Finder) synonyms(customer int64) (all []search.Synonyms, err error) {
	groups, err := tools.All[wire.SynonymGroup](f.Tools, customer, wire.KindSynonyms)
	for _, group := range groups {
		all = append(all, search.Synonyms{Language: group.Language, Words: group.Words})
	}
	return all, err
}

// cancelled returns the error of a search, which is the client's where it left.
func cancelled(c *web.Call, err error) error {
	if err != nil && c.Request.Context().Err() != nil {
		return web.Problem{Status: http.StatusServiceUnavailable, Message: "the search was given up"}
	}
	return err
}
