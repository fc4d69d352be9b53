package ui

import (
	"context"
	"net/http"
	"path"
	"slices"
	"sync"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/report/site"
)

type siteView struct {
	generation uint64 // change counter of the ledger (the record of the index)
	read       func() (*siteLists, error)
}

type siteLists struct {
	site   *site.Site
	faults *table[site.Fault]
	urls   *table[site.Page]
}

type sitePage struct {
	Part, Err string
	Site      *site.Site
	View      any
}

func (s *Server) showSite(w http.ResponseWriter, r *http.Request) {
	page := sitePage{Part: path.Base(r.URL.Path)}
	var generation uint64
	err := s.o.Ledger(r.Context(), func(l Ledger) (err error) { generation, err = l.Generation(); return err })
	s.mu.Lock()
	if s.site == nil || err == nil && s.site.generation != generation {
		s.site = &siteView{generation, sync.OnceValues(func() (*siteLists, error) { return readSite(s.ctx, s.o.Site) })}
	}
	read := s.site.read
	s.mu.Unlock()
	switch lists, err := read(); {
	case err != nil:
		page.Err = "The site can't be shown now: " + err.Error()
		s.mu.Lock()
		s.site = nil
		s.mu.Unlock()
	case page.Part == "faults":
		page.Site, page.View = lists.site, lists.faults.view(r.URL.Query())
	default:
		page.Site, page.View = lists.site, lists.urls.view(r.URL.Query())
	}
	s.show(w, r, "site", "The site", page)
}

func readSite(ctx context.Context, read func(context.Context) (*site.Site, error)) (*siteLists, error) {
	all, err := read(ctx)
	if err != nil {
		return nil, err
	}
	seen, order := map[bool]string{true: "first in the last run", false: "before"}, map[bool]int{false: 1}
	faults := slices.Clone(all.Faults)
	slices.SortStableFunc(faults, func(a, b site.Fault) int { return order[a.New] - order[b.New] })
	return &siteLists{
		site: all,
		faults: listOf(faults, func(f *site.Fault) []string { return []string{f.URL, f.Title, f.Text} },
			facet[site.Fault]{"kind", "Kind", func(f *site.Fault) []string { return []string{f.Kind.Name()} }},
			facet[site.Fault]{"seen", "Seen", func(f *site.Fault) []string { return []string{seen[f.New]} }},
			facet[site.Fault]{
				"folder", "Folder", func(f *site.Fault) []string { return []string{report.Folder(f.URL)} },
			},
		),
		urls: listOf(all.Pages, func(p *site.Page) []string { return []string{p.URL, p.Title} },
			facet[site.Page]{"status", "Status", func(p *site.Page) []string { return []string{string(p.Status)} }},
			facet[site.Page]{"type", "Type", func(p *site.Page) []string { return []string{string(p.Type)} }},
			facet[site.Page]{"folder", "Folder", func(p *site.Page) []string { return []string{report.Folder(p.URL)} }},
		),
	}, nil
}

func statusClass(s site.Status) string {
	switch s {
	case site.Indexed, site.Folded, site.Redirect, site.NoIndex,
		site.Excluded, site.Disallowed, site.Expired, site.Other:
		return ""
	}
	return string(document.Held)
}
