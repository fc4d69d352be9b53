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

// Rules are what the search tools of an engine say about one query. Those for an audience
// are never among them: who asks is not known here.
type Rules struct {
	Pins       []search.Pin // by rank
	Hidden     []string     // IDs or Urls
	Banners    []Banner
	Quicklinks []Quicklink
}

// Banner is a banner as a search answers it: with the keys of section 2.6, and with Id,
// Banner and Name, which the vendor's page for v3 has.
type Banner struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	WebsiteID int64  `json:"websiteid"`
	HTMLCode  string `json:"htmlcode"`
	IDV3      int64  `json:"Id"`
	NameV3    string `json:"Name"`
	Banner    string
}

// Quicklink is a quicklink as a search answers it.
type Quicklink struct {
	ID  int64  `json:"Id"`
	URL string `json:"Url"`
}

// Rules returns what an engine's tools say about a query at a time.
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
	for _, b := range banners { // one without terms is driven by audiences alone
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

// forAll reports whether a tool is for everyone.
func forAll(audiences json.RawMessage) bool {
	var entries []json.RawMessage
	return len(audiences) == 0 || json.Unmarshal(audiences, &entries) == nil && len(entries) == 0
}

// served reports whether a banner is shown at all at a time: never while it is
// disabled (specification section 3), and from the start of its display window until
// just before its end. Its terms are not looked at.
func served(b wire.Banner, at time.Time) bool {
	from, _ := time.Parse(time.RFC3339, b.From) // none is long ago; no other text is stored
	to, none := time.Parse(time.RFC3339, b.To)
	return !b.IsDisabled && !at.Before(from) && (none != nil || at.Before(to))
}

// matchesTerm reports whether one of the terms is the whole query. Case and the number
// of spaces make no difference, and an empty query matches nothing. How the hosted
// service matches is not shown.
func matchesTerm(terms []wire.Term, query string) bool {
	plain := func(s string) string { return strings.Join(strings.Fields(strings.ToLower(s)), " ") }
	want := plain(query)
	return want != "" && slices.ContainsFunc(terms, func(t wire.Term) bool { return plain(t.Name) == want })
}
