package crawl

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
	"sitesync/crawl/sitemap"
	"sitesync/internal/document"
	"sitesync/internal/spool"
	"sitesync/internal/weburl"
)

// usualSitemaps are where sitemaps lie that robots.txt does not name: those of
// WordPress and its plug-ins, of generators and shops.
var usualSitemaps = []string{"/sitemap_index.xml", "/wp-sitemap.xml", "/sitemap-index.xml", "/sitemap/sitemap.xml", "/sitemap.xml.gz", "/sitemap.txt"}

// sitemaps reads those that a crawl would find, else looks in the usual places.
func (e *explorer) sitemaps(ctx context.Context, h *host) {
	addresses, guessed := e.sitemapsOf(h)
	for _, address := range addresses {
		e.sitemap(ctx, h, address, 0)
	}
	if e.found.Named = e.found.Listed > 0; e.found.Named || !guessed || h.robots.Delay > time.Second {
		return // with long pauses guessing costs too much
	}
	e.found.Sitemaps = nil
	for _, place := range usualSitemaps {
		if e.sitemap(ctx, h, h.origin+place, 0); e.found.Listed > 0 {
			return
		}
	}
}

// sitemap counts what a file and those that it names list.
func (e *explorer) sitemap(ctx context.Context, h *host, address string, depth int) {
	address, err := e.canon.Resolve(h.origin+"/", address)
	if err != nil || e.maps[address] || ctx.Err() != nil {
		return
	}
	if depth > sitemapNesting || len(e.maps) >= exploreMaps {
		e.found.MoreMaps = true
		return
	}
	e.maps[address] = true
	before := e.found.Listed
	var children []string
	e.request(ctx, h, address, func(resp *http.Response) (err error) {
		if resp.StatusCode != http.StatusOK {
			return resp.Body.Close()
		}
		_, children, err = (&sitemapWalk{run: e.run, host: h}).entries(ctx, resp, address)
		return err // which check tells of
	})
	for _, child := range children {
		e.sitemap(ctx, h, child, depth+1)
	}
	if depth == 0 && e.found.Listed > before {
		e.found.Sitemaps = append(e.found.Sitemaps, address)
	}
}

// entry takes in one line of a sitemap.
func (e *explorer) entry(_ *host, file string, entry sitemap.Entry) {
	url, err := e.canon.Resolve(file, entry.Loc)
	switch {
	case entry.Sitemap || entry.Loc == "" || err != nil:
	case e.hosts[weburl.Origin(url)] == nil:
		e.origins.add(weburl.Origin(url))
	default:
		if !entry.Alternate {
			e.found.Listed++
		}
		e.address(url)
	}
}

// link takes in a link of a sampled page.
func (e *explorer) link(url string) {
	switch {
	case e.hosts[weburl.Origin(url)] != nil:
		e.address(url)
	case mediaIsFile(url):
		name := weburl.Host(url)
		e.fileHosts.add(strings.TrimSuffix(name, ":443")) // of an odd http address: the port that a name alone means
	}
}

// section is a first folder of the site.
type section struct {
	size, asked int
	pages       []string // some of those not asked yet: those with the smallest fingerprints
}

// address counts an address of the site, once.
func (e *explorer) address(url string) {
	if isAsset(url) || e.opts.Table.Mark(spool.Fingerprint(url), spool.Queued)&spool.Queued != 0 {
		return
	}
	s := e.section(url)
	s.size++
	e.parameters(url)
	if mediaIsFile(url) {
		return
	}
	if s.pages = append(s.pages, url); len(s.pages) >= 2*explorePages {
		s.trim()
	}
}

func (s *section) trim() {
	slices.SortFunc(s.pages, func(a, b string) int {
		return cmp.Or(cmp.Compare(spool.Fingerprint(a), spool.Fingerprint(b)), strings.Compare(a, b))
	})
	s.pages = s.pages[:min(len(s.pages), explorePages)]
}

// section returns the section of a canonical URL. Those beyond a number share one.
func (e *explorer) section(url string) *section {
	path := weburl.Path(url)
	name := "/"
	if folder := strings.IndexByte(path[1:], '/'); folder > 0 {
		name = path[:folder+2]
	}
	if e.sections[name] == nil && len(e.sections) >= mostKinds {
		name = "/"
	}
	s := e.sections[name]
	if s == nil {
		s = &section{}
		e.sections[name] = s
	}
	return s
}

func (e *explorer) parameters(url string) {
	_, query, _ := strings.Cut(url, "?")
	for param := range strings.SplitSeq(query, "&") {
		if name, _, _ := strings.Cut(param, "="); name != "" {
			e.params.add(name)
		}
	}
}

// words takes in which languages a page names.
func (e *explorer) words(root *html.Node) {
	named := map[string]bool{}
	for n := root; n != nil; n = page.Next(root, n) {
		switch n.DataAtom {
		case atom.Html:
			e.languages.add(strings.ToLower(strings.TrimSpace(page.Attr(n, "lang"))))
		case atom.Link:
			if lang := strings.ToLower(strings.TrimSpace(page.Attr(n, "hreflang"))); page.HasToken(page.Attr(n, "rel"), "alternate") && !named[lang] {
				named[lang] = true
				e.alternate.add(lang)
			}
		}
	}
}

// sample asks for pages, of the section that has had the fewest first.
func (e *explorer) sample(ctx context.Context, h *host) {
	failed := 0
	for asked := 1; asked < sampleSize(min(h.robots.Delay, e.patience)) && failed < exploreFaults; asked++ {
		url := e.next()
		if url == "" {
			return
		}
		if ok, _ := h.robots.Allowed(weburl.Target(url)); !ok {
			asked--
			continue
		}
		p, err := e.ask(ctx, h, url)
		if err != nil {
			return
		}
		failed++
		if p.Seen != document.Unread {
			failed = 0
		}
		if p.Target != "" {
			e.link(p.Target)
		}
	}
}

// sampleSize returns how many pages are asked for with such pauses between them.
func sampleSize(delay time.Duration) int {
	if delay <= 0 {
		return explorePages
	}
	return min(explorePages, 1+int(exploreWait/delay))
}

// next takes the page that is to be asked next; empty when there is none.
func (e *explorer) next() string {
	var best *section
	for _, name := range slices.Sorted(maps.Keys(e.sections)) {
		s := e.sections[name]
		if len(s.pages) > 0 && (best == nil || s.asked < best.asked || s.asked == best.asked && s.size > best.size) {
			best = s
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

// sum puts what was counted in order.
func (e *explorer) sum() {
	sizes := tallies{}
	for name, s := range e.sections {
		if s.size > 0 {
			sizes[name] = s.size
		}
	}
	f := e.found
	f.Sections, f.Languages, f.Alternate = sizes.sorted(), e.languages.sorted(), e.alternate.sorted()
	f.FileHosts, f.Origins, f.Params = e.fileHosts.sorted(), e.origins.sorted(), e.params.sorted()
}

// tallies counts texts of the site, mostKinds of them at most.
type tallies map[string]int

const mostKinds = 500

func (t tallies) add(text string) {
	if _, known := t[text]; text != "" && (known || len(t) < mostKinds) {
		t[text]++
	}
}

// sorted returns the texts, what was met most often first.
func (t tallies) sorted() []Counted {
	var all []Counted
	for text, n := range t {
		all = append(all, Counted{text, n})
	}
	slices.SortFunc(all, func(a, b Counted) int { return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Text, b.Text)) })
	return all
}
