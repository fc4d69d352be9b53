package inspect

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"text/template"
	"time"

	"sitesync/crawl/page"
	"sitesync/crawl/robots"
	"sitesync/crawl/site"
	"sitesync/extract"
	"sitesync/internal/config"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// sight is what a first look at a site found, and what it means for its
// configuration, as first.toml.tmpl asks for it. Its texts are the site's.
type sight struct {
	Day     string
	Asked   string        // canonical URL that was given
	Start   string        // canonical URL behind its redirects
	Folder  string        // of built pages, that is the site; empty: it is asked for
	Title   string        // of the start page
	Listed  int           // addresses in sitemaps
	Delay   time.Duration // that robots.txt asks for
	Sampled int           // pages that were read
	Shells  int           // of those, that show nothing without JavaScript

	FileHosts map[string]int // other hosts with linked files (PDF, DOCX and the like), with the number of links

	first document.Page // the start page
}

// maxHosts bounds how many hosts of files are counted.
const maxHosts = 500

// take reads one page of the look.
func (s *sight) take(g *glimpse, p *document.Page) error {
	if p.URL == s.Start {
		s.first = document.Page{URL: p.URL, Seen: p.Seen, Status: p.Status, Why: p.Why, Target: p.Target}
		if p.Target != "" && p.Interstitial == "" {
			return errMoved
		}
	}
	if p.Root == nil {
		return nil
	}
	s.Sampled++
	for _, link := range page.ReadLinks(p, g.site.Canon, robots.ProductToken("sitesync")).Found {
		if !link.NoFollow && site.IsFile(link.URL) && weburl.Origin(link.URL) != weburl.Origin(s.Start) && len(s.FileHosts) < maxHosts {
			s.FileHosts[strings.TrimSuffix(weburl.Host(link.URL), ":443")]++ // of an odd http address: the port that a name alone means
		}
	}
	draft, err := g.ex.Read(p)
	if err != nil {
		return nil //nolint:nilerr // a page without content still has links
	}
	if p.URL == s.Start {
		s.Title = g.ex.Finish(draft, p.URL, nil).Fields["Title"]
	}
	if slices.Contains(draft.Warn, extract.WarnEmptyShell) {
		s.Shells++
	}
	return nil
}

// conclude takes what the crawl found of the host, or says why its start page can't be read.
func (s *sight) conclude(survey *document.Survey) error {
	h := survey.Hosts[0]
	s.Listed, s.Delay = h.Sitemap, h.Delay
	switch {
	case s.first.Seen == document.Read || s.first.Seen == document.NoIndex:
		return nil
	case s.first.URL == "":
		return fmt.Errorf("read %s: %s", s.Start, cmp.Or(h.Reason, "no answer that makes a page"))
	}
	return fmt.Errorf("read %s: %s", s.Start, cmp.Or(s.first.Why, fmt.Sprintf("HTTP status %d %s", s.first.Status, http.StatusText(s.first.Status))))
}

//go:embed first.toml.tmpl
var firstSource string

// write returns the configuration, each suggestion with what was seen.
func (s *sight) write() (string, error) {
	hosts := s.fileHosts()
	name := strings.TrimPrefix(weburl.Host(s.Start), "www.")
	own := func(host string) bool { return host == name || strings.HasSuffix(host, "."+name) }
	first := template.Must(template.New("first").Funcs(template.FuncMap{
		"comment": config.Comment, "count": document.Count, "origin": weburl.Origin,
		"list":  func(all ...string) []string { return all },
		"start": func() string { return strings.ReplaceAll(s.Start, "${", "$%7B") }, // "${" begins the name of a variable
		"hosts": func() []string { return hosts },
		"ownHosts": func() []string {
			return slices.DeleteFunc(slices.Clone(hosts), func(host string) bool { return !own(host) })
		},
		"whole":      func() time.Duration { return time.Duration(max(s.Listed, s.Sampled)) * s.Delay },
		"manyShells": func() bool { return s.Shells*10 > s.Sampled }, // rendering is worth its time
		"key":        config.Key,
		"suggest": func(name string, value any) string {
			if line := config.Key(name, value); line != "" {
				return "# " + line
			}
			return ""
		},
	}).Parse(firstSource))
	var text strings.Builder
	err := first.Execute(&text, s)
	return text.String(), err
}

// shownHosts is how many hosts of files are suggested.
const shownHosts = 12

// fileHosts returns the hosts of linked files, the most linked first.
func (s *sight) fileHosts() []string {
	hosts := slices.SortedFunc(maps.Keys(s.FileHosts), func(a, b string) int {
		return cmp.Or(s.FileHosts[b]-s.FileHosts[a], strings.Compare(a, b))
	})
	return hosts[:min(len(hosts), shownHosts)]
}
