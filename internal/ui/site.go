package ui

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/report/site"
)

// siteView is the site as the last run left it. It is read in the background; before ready
// is closed nothing else is touched.
type siteView struct {
	generation uint64 // of the ledger
	ready      chan struct{}
	err        error
	site       *site.Site
	faults     *table[*site.Fault]
	urls       *table[*site.Page]
}

// sitePage is what the pages of the site show.
type sitePage struct {
	Part, Wait string
	Site       *site.Site
	View       any
}

func (s *Server) sitePages() {
	s.mux.HandleFunc("GET /site/faults", func(w http.ResponseWriter, r *http.Request) {
		s.showSite(w, r, "faults", func(v *siteView) any { return v.faults.view(r.URL.Query()) })
	})
	s.mux.HandleFunc("GET /site/urls", func(w http.ResponseWriter, r *http.Request) {
		s.showSite(w, r, "urls", func(v *siteView) any { return v.urls.view(r.URL.Query()) })
	})
}

// showSite shows a list of the site, read anew after each run.
func (s *Server) showSite(w http.ResponseWriter, r *http.Request, part string, list func(*siteView) any) {
	page := sitePage{Part: part}
	var generation uint64
	err := s.o.Ledger(r.Context(), func(l Ledger) (err error) { generation, err = l.Generation(); return err })
	s.mu.Lock()
	v := s.site
	if v == nil || err == nil && v.generation != generation {
		v = &siteView{generation: generation, ready: make(chan struct{})}
		s.site = v
		s.work.Go(func() error {
			defer close(v.ready)
			v.site, v.err = s.o.Site(s.ctx)
			if v.err == nil {
				v.read()
			}
			return nil
		})
	}
	s.mu.Unlock()
	select {
	case <-v.ready:
		if v.err != nil {
			page.Wait = "The site can't be shown now: " + v.err.Error()
			s.mu.Lock()
			s.site = nil // the next request tries again
			s.mu.Unlock()
			break
		}
		page.Site, page.View = v.site, list(v)
	case <-time.After(patience):
		later(w)
		page.Wait = "What is known of the site is being read. This page shows it in a moment."
	}
	s.show(w, r, "site", "The site", page)
}

func (v *siteView) read() {
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
			{"folder", "Folder", func(f **site.Fault, visit func(string)) { visit(folderOf((*f).URL)) }},
		},
		sorts: []order[*site.Fault]{
			{"", "new ones first", nil}, {"url", "by address", func(a, b **site.Fault) int { return strings.Compare((*a).URL, (*b).URL) }},
		},
	}
	for i := range v.site.Faults {
		f := &v.site.Faults[i]
		v.faults.add(f, f.URL, f.Title, f.Text)
	}
	v.faults.seal()
	down := func(of func(p *site.Page) int) func(a, b **site.Page) int {
		return func(a, b **site.Page) int { return cmp.Compare(of(*b), of(*a)) }
	}
	v.urls = &table[*site.Page]{
		facets: []facet[*site.Page]{
			{"status", "Status", func(p **site.Page, visit func(string)) { visit(string((*p).Status)) }},
			{"type", "Type", func(p **site.Page, visit func(string)) { visit(string((*p).Type)) }},
			{"depth", "Depth", func(p **site.Page, visit func(string)) {
				if (*p).Depth >= 0 {
					visit(strconv.Itoa((*p).Depth))
				}
			}},
			{"folder", "Folder", func(p **site.Page, visit func(string)) { visit(folderOf((*p).URL)) }},
		},
		sorts: []order[*site.Page]{
			{"", "by address", nil}, {"deep", "the deepest first", down(func(p *site.Page) int { return p.Depth })},
			{"linked", "the most linked first", down(func(p *site.Page) int { return p.LinksIn })},
			{"slow", "the slowest first", down(func(p *site.Page) int { return p.Took })},
			{"changed", "the last changed first", down(func(p *site.Page) int { return int(p.Changed) })},
		},
	}
	for i := range v.site.Pages {
		p := &v.site.Pages[i]
		v.urls.add(p, p.URL, p.Title)
	}
	v.urls.seal()
}

// statusClass returns the class of a badge.
func statusClass(s site.Status) string {
	switch s {
	case site.Indexed, site.Folded, site.Redirect, site.NoIndex, site.Excluded, site.Disallowed, site.Expired, site.Other:
		return ""
	}
	return string(document.Held)
}
