package tools

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

// Rules are the effects of an engine's search tools on one query. Tools for an audience are left out,
// because this service does not know which audience a visitor belongs to.
type Rules struct {
	Pins       []search.Pin // sorted by rank
	Hidden     []string     // IDs or URLs of documents to leave out
	Banners    []Banner
	Quicklinks []Quicklink
}

// Banner is a banner in a search response. It has the keys of section 2.6, and the keys Id, Banner and Name
// from the vendor's documentation of API v3.
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
	rankings, err := All[wire.Ranking](t, customer, wire.KindRanking)
	if err != nil {
		return r, err
	}
	for _, ranking := range rankings {
		if ranking.WebsiteID == engine && forAll(ranking.Audiences) && matchesTerm(ranking.RankingTerms, query) {
			r.add(ranking.Pages)
		}
	}
	slices.SortStableFunc(r.Pins, func(a, b search.Pin) int { return cmp.Compare(a.Rank, b.Rank) })
	links, err := All[wire.Quicklink](t, customer, wire.KindQuicklink)
	if err != nil {
		return r, err
	}
	for _, link := range links {
		if link.WebsiteID == engine && matchesTerm(link.Terms, query) {
			r.Quicklinks = append(r.Quicklinks, Quicklink{link.ID, link.URL})
		}
	}
	banners, err := All[wire.Banner](t, customer, wire.KindBanner)
	for _, b := range banners { // a banner without terms depends on audiences alone, so it never matches here
		if b.WebsiteID == engine && forAll(b.Audiences) && matchesTerm(b.BannerTerms, query) && served(b, at) {
			r.Banners = append(r.Banners, Banner{b.ID, b.Name, b.WebsiteID, b.HTMLCode, b.ID, b.Name, b.HTMLCode})
		}
	}
	return r, err
}

func (r *Rules) add(pages []wire.RankedPage) {
	for _, p := range pages {
		names := slices.DeleteFunc([]string{p.Page.PageID, p.Page.PageURL}, func(name string) bool { return name == "" })
		switch {
		case len(names) == 0:
		case p.ShowPage:
			r.Pins = append(r.Pins, search.Pin{Rank: p.Rank, Names: names})
		default:
			r.Hidden = append(r.Hidden, names...)
		}
	}
}

// forAll reports whether a tool has no audiences, so that it applies to every visitor.
func forAll(audiences json.RawMessage) bool {
	var entries []json.RawMessage
	return len(audiences) == 0 || json.Unmarshal(audiences, &entries) == nil && len(entries) == 0
}

// served reports whether a banner may be shown at a given time. Disabled banners are never shown
// (specification section 3). Others are shown from From (inclusive) to To (exclusive). Terms are not checked.
func served(b wire.Banner, at time.Time) bool {
	from, _ := time.Parse(time.RFC3339, b.From) // an empty From parses to the zero time
	to, none := time.Parse(time.RFC3339, b.To)
	return !b.IsDisabled && !at.Before(from) && (none != nil || at.Before(to))
}

// matchesTerm reports whether one of the terms equals the whole query, ignoring case and repeated spaces.
// An empty query matches nothing. The matching rules of the hosted service are not documented.
func matchesTerm(terms []wire.Term, query string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
	want := plain(query)
	return want != "" && slices.ContainsFunc(terms, func(t wire.Term) bool { return plain(t.Name) == want })
}
