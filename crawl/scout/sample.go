package scout

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// MaxSample is how many pages a first look asks for at most.
const MaxSample = 30

// longestWait bounds all the pauses of a first look that robots.txt asks for.
const longestWait = time.Minute

// maxTexts is how many texts of the site a Tally tells apart.
const maxTexts = 500

// Exploration is the outcome of a first look at a site. Its texts are the site's own.
type Exploration struct {
	Asked     string        // canonical URL that was given
	Start     string        // canonical URL of the first page, behind redirects
	Sitemaps  []string      // that gave addresses
	Named     bool          // those are what robots.txt names, or /sitemap.xml: no need to list them
	MoreMaps  bool          // there are more than a first look reads
	Listed    int           // addresses in sitemaps
	Delay     time.Duration // that robots.txt asks for
	Sampled   int           // pages that were read
	Sections  []Counted     // first folders of paths ("/news/"; "/" for what is in none), by the number of addresses
	Languages []Counted     // lang attributes, by pages
	Alternate []Counted     // hreflang attributes, by pages
	FileHosts []Counted     // other hosts with linked files (PDF, DOCX and the like), by links
	Origins   []Counted     // other origins that sitemaps list, by addresses
	Params    []Counted     // names of query parameters, by addresses
}

// Counted is a text of the site and how often it was met.
type Counted struct {
	Text string
	N    int
}

// Tally counts texts of the site.
type Tally map[string]int

// Add counts a text, unless it is empty or there are too many others.
func (t Tally) Add(text string) {
	if _, known := t[text]; text != "" && (known || len(t) < maxTexts) {
		t[text]++
	}
}

// Sorted returns the texts, the most frequent first.
func (t Tally) Sorted() []Counted {
	var all []Counted
	for text, n := range t {
		all = append(all, Counted{text, n})
	}
	slices.SortFunc(all, func(a, b Counted) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Text, b.Text)) })
	return all
}

// AddLanguages counts which languages a page names: its own in t, those of its
// translations in alternate.
func (t Tally) AddLanguages(root *html.Node, alternate Tally) {
	attr := func(n *html.Node, name string) string { return strings.ToLower(strings.TrimSpace(page.Attr(n, name))) }
	named := map[string]bool{}
	for n := range root.Descendants() {
		switch n.DataAtom {
		case atom.Html:
			t.Add(attr(n, "lang"))
		case atom.Link:
			lang := attr(n, "hreflang")
			if page.HasToken(attr(n, "rel"), "alternate") && !named[lang] {
				named[lang] = true
				alternate.Add(lang)
			}
		}
	}
}

// Sections divides the addresses of a site by their first folder, and chooses pages
// of every section.
type Sections map[string]*section

type section struct {
	size, asked int
	pages       []string // some of those not asked yet: those with the smallest fingerprints
}

// of returns the section of a canonical URL. Those beyond a number share one.
func (s Sections) of(url string) *section {
	name := cmp.Or(weburl.Path(weburl.FirstFolder(url)), "/")
	if s[name] == nil && len(s) >= maxTexts {
		name = "/"
	}
	if s[name] == nil {
		s[name] = &section{}
	}
	return s[name]
}

// Add counts an address, which is asked for a page when it may be one.
func (s Sections) Add(url string, page bool) {
	of := s.of(url)
	of.size++
	if !page {
		return
	}
	of.pages = append(of.pages, url)
	if len(of.pages) >= 2*MaxSample {
		of.trim()
	}
}

// Asked counts a page that was asked.
func (s Sections) Asked(url string) { s.of(url).asked++ }

func (s *section) trim() {
	slices.SortFunc(s.pages, func(a, b string) int {
		return cmp.Or(cmp.Compare(spool.Fingerprint(a), spool.Fingerprint(b)), strings.Compare(a, b))
	})
	s.pages = s.pages[:min(len(s.pages), MaxSample)]
}

// Next takes the page that is to be asked next, of the section that has had the fewest;
// empty when there is none.
func (s Sections) Next() string {
	var best *section
	for _, name := range slices.Sorted(maps.Keys(s)) {
		one := s[name]
		if len(one.pages) > 0 && (best == nil || one.asked < best.asked || one.asked == best.asked && one.size > best.size) {
			best = one
		}
	}
	if best == nil {
		return ""
	}
	best.trim()
	best.asked++
	url := best.pages[0]
	best.pages = best.pages[1:]
	return url
}

// Sorted returns the sections that have addresses, the largest first.
func (s Sections) Sorted() []Counted {
	sizes := Tally{}
	for name, one := range s {
		if one.size > 0 {
			sizes[name] = one.size
		}
	}
	return sizes.Sorted()
}

// SampleSize returns how many pages are asked for with such pauses between them.
func SampleSize(delay time.Duration) int {
	if delay <= 0 {
		return MaxSample
	}
	return min(MaxSample, 1+int(longestWait/delay))
}
