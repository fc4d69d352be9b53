package service

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"

	"sitesync/internal/service/search"
	"sitesync/internal/wire"
)

// rules are what the search tools of an engine say about one query. Those for an audience
// are never among them: who asks is not known here.
type rules struct {
	pins       []pin
	hidden     []string // IDs or Urls
	banners    []shownBanner
	quicklinks []shownQuicklink
}

// A pin is a page that a ranking shows at a rank.
type pin struct {
	rank   int
	names  []string // its ID or Url
	key    *search.Key
	facets map[string][]search.Count // its values
}

type shownBanner struct {
	ID       int64  `json:"Id"`
	Name     string `json:"Name"`
	HTMLCode string `json:"HtmlCode"`
}

type shownQuicklink struct {
	ID  int64  `json:"Id"`
	URL string `json:"Url"`
}

// rulesFor returns what an engine's tools say about a query.
func (s *Service) rulesFor(c *call, query string) (r rules, err error) {
	r.banners, r.quicklinks = []shownBanner{}, []shownQuicklink{}
	rankings, err := tools[wire.Ranking](s, c.customer, wire.KindRanking)
	if err != nil {
		return r, err
	}
	for _, ranking := range rankings {
		if ranking.WebsiteID == c.engine && forAll(ranking.Audiences) && matchesTerm(ranking.RankingTerms, query) {
			r.add(ranking.Pages)
		}
	}
	slices.SortStableFunc(r.pins, func(a, b pin) int { return cmp.Compare(a.rank, b.rank) })
	links, err := tools[wire.Quicklink](s, c.customer, wire.KindQuicklink)
	if err != nil {
		return r, err
	}
	for _, link := range links {
		if link.WebsiteID == c.engine && matchesTerm(link.Terms, query) {
			r.quicklinks = append(r.quicklinks, shownQuicklink{link.ID, link.URL})
		}
	}
	banners, err := tools[wire.Banner](s, c.customer, wire.KindBanner)
	for _, b := range banners { // one without terms is driven by audiences alone
		if b.WebsiteID == c.engine && forAll(b.Audiences) && matchesTerm(b.BannerTerms, query) && served(b, s.now()) {
			r.banners = append(r.banners, shownBanner{b.ID, b.Name, b.HTMLCode})
		}
	}
	return r, err
}

func (r *rules) add(pages []wire.RankedPage) {
	for _, p := range pages {
		names := slices.DeleteFunc([]string{p.Page.PageID, p.Page.PageURL}, func(name string) bool { return name == "" })
		switch {
		case len(names) == 0:
		case p.ShowPage:
			r.pins = append(r.pins, pin{rank: p.Rank, names: names})
		default:
			r.hidden = append(r.hidden, names...)
		}
	}
}

// forAll reports whether a tool is for everyone.
func forAll(audiences json.RawMessage) bool {
	var entries []json.RawMessage
	return len(audiences) == 0 || json.Unmarshal(audiences, &entries) == nil && len(entries) == 0
}

// ranked searches as the rules say: pages that are hidden are left out, and those that are
// pinned stand at their ranks, where filters let them be and no order was asked for.
func ranked(ctx context.Context, index *search.Index, q search.Query, r rules) (search.Result, error) {
	q.Without = r.hidden
	var pins []pin
	if len(q.Sort) == 0 {
		var err error
		if pins, err = findPins(ctx, index, q, r.pins); err != nil {
			return search.Result{}, err
		}
	}
	from, size := q.From, q.Size
	for _, p := range pins {
		q.Without = append(q.Without[:len(q.Without):len(q.Without)], p.names...)
	}
	q.From -= before(positions(pins, math.MaxInt32), from)
	found, err := index.Search(ctx, q)
	if err != nil || len(pins) == 0 {
		return found, err
	}
	found.Hits = interleave(pins, found.Hits, q.From, found.Total, from, size)
	found.Total += len(pins)
	for _, p := range pins {
		p.count(found.Facets)
	}
	return found, nil
}

// count adds the pin's values to those of the other results.
func (p pin) count(facets map[string][]search.Count) {
	for name, values := range p.facets {
		all := facets[name]
		for _, v := range values {
			i := slices.IndexFunc(all, func(c search.Count) bool { return c.Value == v.Value })
			if i < 0 {
				i, all = len(all), append(all, search.Count{Value: v.Value})
			}
			all[i].Count++
		}
		slices.SortFunc(all, func(a, b search.Count) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
		})
		facets[name] = all
	}
}

// findPins returns the pins whose page is there, each with its document's key.
func findPins(ctx context.Context, index *search.Index, q search.Query, pins []pin) (there []pin, err error) {
	q.Text, q.From, q.Size = search.Everything, 0, 1
	for _, p := range pins {
		q.Only = p.names
		found, err := index.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		q.Without = append(q.Without[:len(q.Without):len(q.Without)], p.names...) // a page stands once
		if len(found.Hits) > 0 {
			p.key, p.facets = &found.Hits[0], found.Facets
			there = append(there, p)
		}
	}
	return there, nil
}

// positions returns where each pin stands among all results, from 0 on: at its rank, or
// behind the others where there are fewer.
func positions(pins []pin, others int) []int {
	at := make([]int, len(pins))
	next := 0
	for i, p := range pins {
		at[i] = max(min(p.rank-1, others+i), next)
		next = at[i] + 1
	}
	return at
}

// before returns how many positions are below one.
func before(positions []int, position int) int {
	n, _ := slices.BinarySearch(positions, position)
	return n
}

// interleave returns the results of a window: pins at their positions, and of the others, which
// begin with the one numbered first, those between.
func interleave(pins []pin, others []search.Key, first, total, from, size int) (window []search.Key) {
	at := positions(pins, total)
	for position := from; position < min(from+size, total+len(pins)); position++ {
		n, pinned := slices.BinarySearch(at, position)
		if pinned {
			window = append(window, *pins[n].key)
		} else if other := position - n - first; other < len(others) {
			window = append(window, others[other])
		}
	}
	return window
}
