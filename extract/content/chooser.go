package content

import (
	"slices"
	"strings"

	"github.com/andybalholm/cascadia"
	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The names that sites give to their main content, the most telling first.
var contentNames = []string{
	"main", "[role=main]", "article", "#main-content", "#content", "#main", ".main-content", ".content",
	".entry-content", ".post-content", ".page-content", "#bodyContent", ".region-content", ".article",
}

// silent elements have no text that readers see.
var silent = []atom.Atom{atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Head}

const (
	leastPages = 3      // fewer tell nothing about a site
	mostTexts  = 20_000 // of one page
	fitting    = 0.9    // share of the pages, and of what differs between them
)

// Selector is what could be extract.content for a site.
type Selector struct {
	CSS   string
	Fits  int     // pages on which it matches exactly one element
	Share float64 // of the text that differs from page to page, on those pages
}

// Chooser compares pages of one site to find the selector of their main content.
// It is not safe for concurrent use.
type Chooser struct {
	names []cascadia.Selector
	pages []sampled
}

// sampled is what is kept of one page.
type sampled struct {
	fits  uint64 // names that match exactly one element, by bits
	texts []sampledText
}

type sampledText struct {
	hash uint64
	size int
	in   uint64 // those of fits that hold it
}

// NewChooser returns a comparison without pages.
func NewChooser() *Chooser {
	c := &Chooser{}
	for _, name := range contentNames {
		c.names = append(c.names, cascadia.MustCompile(name))
	}
	return c
}

// Add takes in a page; it keeps nothing of the tree.
func (c *Chooser) Add(root *html.Node) {
	var page sampled
	holds := map[*html.Node]uint64{}
	for i, name := range c.names {
		if found := name.MatchAll(root); len(found) == 1 {
			page.fits |= 1 << i
			holds[found[0]] |= 1 << i
		}
	}
	for n := range root.Descendants() {
		if n.Type != html.TextNode || len(page.texts) == mostTexts {
			continue
		}
		text := strings.Join(strings.Fields(n.Data), " ")
		in, seen := uint64(0), text != ""
		for up := range n.Ancestors() {
			in, seen = in|holds[up], seen && !slices.Contains(silent, up.DataAtom)
		}
		if seen {
			page.texts = append(page.texts, sampledText{xxhash.Sum64String(text), len(text), in})
		}
	}
	c.pages = append(c.pages, page)
}

// Choose returns the selector that matches one element on nearly all pages and
// holds nearly all text that differs from page to page, with the least text that
// does not. ok is false where there is none, or too few pages to tell.
func (c *Chooser) Choose() (best Selector, ok bool) {
	if len(c.pages) < leastPages {
		return Selector{}, false
	}
	own, least := c.own(), fitting*float64(len(c.pages))
	bestPure := 0.0
	for i := range contentNames {
		s, pure := c.measure(i, own)
		if float64(s.Fits) >= least && s.Share >= fitting && pure > bestPure+0.02 {
			best, bestPure, ok = s, pure, true
		}
	}
	return best, ok
}

// measure returns how well a name does, and which share of what it holds differs
// from page to page.
func (c *Chooser) measure(i int, own map[uint64]bool) (s Selector, pure float64) {
	s.CSS = contentNames[i]
	var inside, differing, all int
	for _, page := range c.pages {
		if page.fits&(1<<i) == 0 {
			continue
		}
		s.Fits++
		for _, text := range page.texts {
			if own[text.hash] {
				all += text.size
			}
			if text.in&(1<<i) == 0 {
				continue
			}
			inside += text.size
			if own[text.hash] {
				differing += text.size
			}
		}
	}
	if differing == 0 {
		return s, 0
	}
	s.Share = float64(differing) / float64(all)
	return s, float64(differing) / float64(inside)
}

// own returns the texts that are on one page in five at most.
func (c *Chooser) own() map[uint64]bool {
	pages, last := map[uint64]int{}, map[uint64]int{}
	for i, page := range c.pages {
		for _, text := range page.texts {
			if last[text.hash] != i+1 {
				last[text.hash] = i + 1
				pages[text.hash]++
			}
		}
	}
	own := make(map[uint64]bool, len(pages))
	for hash, n := range pages {
		own[hash] = n <= max(1, len(c.pages)/5)
	}
	return own
}
