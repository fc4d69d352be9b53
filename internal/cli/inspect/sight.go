package inspect

import (
	"cmp"
	_ "embed"
	"fmt"
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
	"sitesync/internal/report"
	"sitesync/internal/spool"
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

	// What was counted in the pages and their links.
	Sections  tally // first folders of paths ("/news/"; "/" for what is in none), by addresses
	FileHosts tally // other hosts with linked files (PDF, DOCX and the like), by links

	first document.Page   // the start page
	seen  map[uint64]bool // fingerprints of the addresses that were counted
}

// Bounds of what is counted of a site.
const (
	maxTexts     = 500
	maxAddresses = 100_000
)

// tally counts texts of the site.
type tally map[string]int

// add counts a text, unless it is empty or there are too many others.
func (t tally) add(text string) {
	if _, known := t[text]; text != "" && (known || len(t) < maxTexts) {
		t[text]++
	}
}

// counted is a text of the site and how often it was met.
type counted struct {
	Text string
	N    int
}

// Sorted returns the texts, the most frequent first.
func (t tally) Sorted() (all []counted) {
	for text, n := range t {
		all = append(all, counted{text, n})
	}
	slices.SortFunc(all, func(a, b counted) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Text, b.Text)) })
	return all
}

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
	s.count(p.URL)
	for _, link := range page.ReadLinks(p, g.site.Canon, robots.ProductToken("sitesync")).Found {
		if !link.NoFollow {
			s.count(link.URL)
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

// count counts an address of the site, once, or a file elsewhere.
func (s *sight) count(url string) {
	switch fp := spool.Fingerprint(url); {
	case weburl.Origin(url) != weburl.Origin(s.Start):
		if site.IsFile(url) {
			s.FileHosts.add(strings.TrimSuffix(weburl.Host(url), ":443")) // of an odd http address: the port that a name alone means
		}
	case site.IsAsset(url) || s.seen[fp] || len(s.seen) == maxAddresses:
	default:
		s.seen[fp] = true
		s.Sections.add(weburl.Path(report.Folder(url)))
	}
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

// shownKinds is how many sections and the like are named.
const shownKinds = 12

//go:embed first.toml.tmpl
var firstSource string

// write returns the configuration, each suggestion with what was seen.
func (s *sight) write() (string, error) {
	first := template.Must(template.New("first").Funcs(template.FuncMap{
		"comment": config.Comment, "count": document.Count, "counts": counts, "origin": weburl.Origin,
		"most":         func() int { return shownKinds },
		"list":         func(all ...string) []string { return all },
		"start":        func() string { return strings.ReplaceAll(s.Start, "${", "$%7B") }, // "${" begins the name of a variable
		"moreSections": func() int { return len(s.Sections) - shownKinds },
		"fileHosts":    s.fileHosts,
		"allHosts":     func() []string { return slices.Concat(s.fileHosts(true), s.fileHosts(false)) },
		"whole":        func() time.Duration { return time.Duration(max(s.Listed, s.Sampled)) * s.Delay },
		"manyShells":   func() bool { return s.Shells*10 > s.Sampled }, // rendering is worth its time
		"key":          config.Key,
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

// counts lists what was met, in words.
func counts(list []counted) string {
	var all []string
	for _, c := range list[:min(len(list), shownKinds)] {
		all = append(all, fmt.Sprintf("%q (%d)", c.Text, c.N))
	}
	return cmp.Or(strings.Join(all, ", "), "nothing")
}

// fileHosts returns the hosts of linked files that are shown: those below the site's own
// name, or the others.
func (s *sight) fileHosts(own bool) (hosts []string) {
	name := strings.TrimPrefix(weburl.Host(s.Start), "www.")
	all := s.FileHosts.Sorted()
	for _, host := range all[:min(len(all), shownKinds)] {
		if (host.Text == name || strings.HasSuffix(host.Text, "."+name)) == own {
			hosts = append(hosts, host.Text)
		}
	}
	return hosts
}
