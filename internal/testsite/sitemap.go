package testsite

import (
	"encoding/xml"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

const sitemapPath = "/sitemap.xml"

// Entry is one address of a sitemap (sitemaps.org, protocol 0.9).
type Entry struct {
	Loc     string // a path gets the site's origin before it
	Lastmod string // as it is; empty: left out
}

// Sitemap sets /sitemap.xml to a fixed list.
func (s *Site) Sitemap(entries ...Entry) {
	s.Set(sitemapPath, Page{Body: sitemapXML(s.url, entries), Unlisted: true})
}

// sitemapPage is the sitemap of the pages as they stand.
func (s *Site) sitemapPage() Page {
	var entries []Entry
	var modified time.Time
	for _, path := range slices.Sorted(maps.Keys(s.pages)) {
		p := s.pages[path]
		if p.Unlisted || p.Status != 0 && p.Status != http.StatusOK {
			continue
		}
		entries = append(entries, Entry{Loc: path, Lastmod: p.Modified.UTC().Format(time.RFC3339)})
		if p.Modified.After(modified) {
			modified = p.Modified
		}
	}
	return Page{Body: sitemapXML(s.url, entries), Modified: modified}
}

func sitemapXML(origin string, entries []Entry) string {
	var b strings.Builder
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, e := range entries {
		b.WriteString("<url><loc>")
		if strings.HasPrefix(e.Loc, "/") {
			b.WriteString(origin)
		}
		_ = xml.EscapeText(&b, []byte(e.Loc)) // a strings.Builder takes all
		b.WriteString("</loc>")
		if e.Lastmod != "" {
			b.WriteString("<lastmod>" + e.Lastmod + "</lastmod>")
		}
		b.WriteString("</url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.String()
}
