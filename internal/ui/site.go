package ui

import (
	"cmp"
	"context"
	"net/http"
	"path"
	"strings"

	"sitesync/internal/document"
	"sitesync/internal/report"
	"sitesync/internal/report/site"
)

// siteView is the site as the last run left it.
type siteView struct {
	*later[*site.Site]
	generation uint64 // of the ledger
	faults     *table[*site.Fault]
	urls       *table[*site.Page]
}

// sitePage is what the pages of the site show.
type sitePage struct {
	Part, Wait string
	Site       *site.Site
	View       any
}

// showSite shows a list of the site, read anew after each run.
func (s *Server) showSite(w http.ResponseWriter, r *http.Request) {
	page := sitePage{Part: path.Base(r.URL.Path)}
	var generation uint64
	err := s.o.Ledger(r.Context(), func(l Ledger) (err error) { generation, err = l.Generation(); return err })
	s.mu.Lock()
	v := s.site
	if v == nil || err == nil && v.generation != generation {
		v = &siteView{generation: generation}
		v.later = begin(s, func(ctx context.Context) (*site.Site, error) {
			all, err := s.o.Site(ctx)
			if err == nil {
				v.read(all)
			}
			return all, err
		})
		s.site = v
	}
	s.mu.Unlock()
	switch {
	case !v.wait():
		again(w)
		page.Wait = "What is known of the site is being read. This page shows it in a moment."
	case v.err != nil:
		page.Wait = "The site can't be shown now: " + v.err.Error()
		s.mu.Lock()
		s.site = nil // the next request tries again
		s.mu.Unlock()
	case page.Part == "faults":
		page.Site, page.View = v.value, v.faults.view(r.URL.Query())
	default:
		page.Site, page.View = v.value, v.urls.view(r.URL.Query())
	}
	s.show(w, r, "site", "The site", page)
}

func (v *siteView) read(all *site.Site) {
	v.faults = &table[*site.Fault]{
		facets: []facet[*site.Fault]{
			{"kind", "Kind", func(f **site.Fault, visit func(string)) { visit((*f).Kind.Name()) }},
			{"seen", "Seen", func(f **site.Fault, visit func(string)) {
				if (*f).New {
					visit("first in the last run")
				} else {
					visit("before")
				}
			}},
			{"folder", "Folder", func(f **site.Fault, visit func(string)) { visit(report.Folder((*f).URL)) }},
		},
		sorts: []order[*site.Fault]{
			{"", "new ones first", nil}, {"kind", "by kind", func(a, b **site.Fault) int { return cmp.Compare((*a).Kind, (*b).Kind) }},
			{"url", "by address", func(a, b **site.Fault) int { return strings.Compare((*a).URL, (*b).URL) }},
		},
	}
	for _, first := range []bool{true, false} {
		for i := range all.Faults {
			if f := &all.Faults[i]; f.New == first {
				v.faults.add(f, f.URL, f.Title, f.Text)
			}
		}
	}
	down := func(of func(p *site.Page) int) func(a, b **site.Page) int {
		return func(a, b **site.Page) int { return cmp.Compare(of(*b), of(*a)) }
	}
	v.urls = &table[*site.Page]{
		facets: []facet[*site.Page]{
			{"status", "Status", func(p **site.Page, visit func(string)) { visit(string((*p).Status)) }},
			{"type", "Type", func(p **site.Page, visit func(string)) { visit(string((*p).Type)) }},
			{"folder", "Folder", func(p **site.Page, visit func(string)) { visit(report.Folder((*p).URL)) }},
		},
		sorts: []order[*site.Page]{
			{"", "by address", nil},
			{"linked", "the most linked first", down(func(p *site.Page) int { return p.LinksIn })},
			{"changed", "the last changed first", down(func(p *site.Page) int { return int(p.Changed) })},
		},
	}
	for i := range all.Pages {
		p := &all.Pages[i]
		v.urls.add(p, p.URL, p.Title)
	}
}

// statusClass returns the class of a badge.
func statusClass(s site.Status) string {
	switch s {
	case site.Indexed, site.Folded, site.Redirect, site.NoIndex, site.Excluded, site.Disallowed, site.Expired, site.Other:
		return ""
	}
	return string(document.Held)
}
