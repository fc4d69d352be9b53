package tools

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/wire"
)

// Rules are the effects of the search tools of an engine (a site search) on one query. Rankings and banners
// for certain audiences are left out, because this service does not know the audience of a visitor.
type Rules struct {
	Pins       []search.Pin // sorted by rank
	Hidden     []string     // IDs or URLs of documents to leave out
	Banners    []Banner
	Quicklinks []Quicklink
}

// Banner is a banner in a search response. It has the keys of specification section 2.6, and the keys Id,
// Banner and Name from the vendor's documentation of API v3.
type Banner struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	WebsiteID int64  `json:"websiteid"`
	HTMLCode  string `json:"htmlcode"`
	IDV3      int64  `json:"Id"`
	NameV3    string `json:"Name"`
	Banner    string
}

// Quicklink is a quicklink in a search response.
type Quicklink struct {
	ID  int64  `json:"Id"`
	URL string `json:"Url"`
}

// Rules returns the effects of an engine's search tools on a query at a given time.
func (t *Tools) Rules(customer, engine int64, query string, at time.Time) (r Rules, err error) {
	r.Banners, r.Quicklinks = []Banner{}, []Quicklink{}
	applies := func(kind wire.Kind, terms string) []any {
		return []any{customer, kind, engine, query, "$." + terms, store.Seconds(at)}
	}
	rankings, err := store.All[wire.Ranking](t.Store, applying, applies(wire.KindRanking, "rankingterms")...)
	links, err2 := store.All[wire.Quicklink](t.Store, applying, applies(wire.KindQuicklink, "terms")...)
	banners, err3 := store.All[wire.Banner](t.Store, applying, applies(wire.KindBanner, "bannerterms")...)
	for _, ranking := range rankings {
		r.addPages(ranking.Pages)
	}
	slices.SortStableFunc(r.Pins, func(a, b search.Pin) int { return cmp.Compare(a.Rank, b.Rank) })
	for _, link := range links {
		r.Quicklinks = append(r.Quicklinks, Quicklink{link.ID, link.URL})
	}
	for _, b := range banners {
		r.Banners = append(r.Banners, Banner{b.ID, b.Name, b.WebsiteID, b.HTMLCode, b.ID, b.Name, b.HTMLCode})
	}
	return r, errors.Join(err, err2, err3)
}

// applying is an SQL statement for the tools of one kind that apply to a query. One term of the tool must
// equal the whole query, apart from case and repeated spaces. How the hosted service matches terms is not
// documented. An empty query matches nothing. A banner must also be enabled (specification section 3). It
// applies from its start (inclusive) to its end (exclusive).
const applying = ofKind + ` AND ?3 = coalesce(json->>'WebsiteId', json->>'websiteid')
	AND plain(?4) IN (SELECT plain(value->>'name') FROM json_each(tool.json, ?5))
	AND (kind = 'quicklink' OR ifnull(json_array_length(json, '$.audiences'), 0) = 0)
	AND (kind <> 'banner' OR json->>'isDisabled' = 0
		AND ifnull(moment(json->>'from') <= ?6, 1) AND ifnull(?6 < moment(json->>'to'), 1))
	ORDER BY id`

func (r *Rules) addPages(pages []wire.RankedPage) {
	for _, p := range pages {
		blank := func(name string) bool { return name == "" }
		names := slices.DeleteFunc([]string{p.Page.PageID, p.Page.PageURL}, blank)
		switch {
		case len(names) == 0:
		case p.ShowPage:
			r.Pins = append(r.Pins, search.Pin{Rank: p.Rank, Names: names})
		default:
			r.Hidden = append(r.Hidden, names...)
		}
	}
}
