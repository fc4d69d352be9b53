package content

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
	"sitesync/internal/document"
)

// Selectors are the configured CSS selectors: of the main content (one at most) and of excluded elements.
type Selectors struct{ content, exclude []selector }

type selector struct {
	goquery.Matcher
	text string // the configuration key and the selector, for errors
}

// With returns a copy of s with more selectors. If content is not empty, it replaces the selector of the
// main content. exclude adds selectors of excluded elements. An error names key, the configuration key.
func (s Selectors) With(key, content string, exclude []string) (Selectors, error) {
	s.exclude = slices.Clone(s.exclude)
	if content != "" {
		one, err := compile(key+".content", content)
		if err != nil {
			return s, err
		}
		s.content = []selector{one}
	}
	for i, text := range exclude {
		one, err := compile(fmt.Sprintf("%s.exclude[%d]", key, i), text)
		if err != nil {
			return s, err
		}
		s.exclude = append(s.exclude, one)
	}
	return s, nil
}

func compile(key, text string) (selector, error) {
	compiled, err := cascadia.Compile(text)
	if err != nil {
		return selector{}, fmt.Errorf("%s: read CSS selector %q: %w", key, text, err)
	}
	return selector{compiled, fmt.Sprintf("%s: CSS selector %q", key, text)}, nil
}

type pick int

const (
	pickContent pick = iota + 1
	pickExclude
)

func (s *Selectors) pick(root *html.Node) (map[*html.Node]pick, error) {
	picks, page := map[*html.Node]pick{}, goquery.NewDocumentFromNode(root)
	for i, one := range slices.Concat(s.content, s.exclude) {
		if markup.Costly(root, one.text) {
			return nil, fmt.Errorf("%s %s", one.text, markup.TooCostly)
		}
		as := pickExclude
		if i < len(s.content) {
			as = pickContent
		}
		for _, n := range page.FindMatcher(one).Nodes {
			picks[n] = as
		}
	}
	return picks, nil
}

// Page is the content that a Reader found in an HTML page.
type Page struct {
	Found     markup.Found
	Blocks    []document.Block // the main content
	Unmatched bool             // a content selector is configured and matches nothing
	Late      string           // kind of most text: LateNoscript, LateStreamed, LateHidden; empty: ordinary
}

// Errors for a tree that is not a page.
var (
	ErrEmpty  = errors.New("the HTML is empty: it holds no element and no text")
	ErrBinary = errors.New("the body is labelled HTML but is binary data; correct its Content-Type")
)

// Reader finds the main content of HTML pages. It is safe for concurrent use.
type Reader struct {
	pairs   []commentPair
	walkers sync.Pool
}

// NewReader returns a Reader that leaves out the text between two paired HTML comments, such as googleoff and
// googleon. Each string in the slice "between" names one more pair, such as "cludooff cludoon".
func NewReader(between []string) *Reader {
	known := []commentPair{{"googleoff", "googleon"}, {"stopindex", "startindex"}, {"noindex", "/noindex"}}
	for _, words := range between {
		if w := strings.Fields(strings.ToLower(words)); len(w) == 2 && len(known) < maxPairs {
			known = append(known, commentPair{w[0], w[1]})
		}
	}
	newWalker := func() any {
		return &walker{pass: pass{opened: map[string]bool{}}, classes: map[string]verdict{}}
	}
	return &Reader{pairs: known, walkers: sync.Pool{New: newWalker}}
}

const (
	maxPooled     = 4 << 20   // maximum bytes of a walker that is used again; a larger one is freed
	leastLead     = 60        // minimum bytes of a block that is kept before the main text
	maxDated      = 120       // maximum bytes of a block with the page's date; longer blocks are prose
	leastRevealed = 300       // a page with fewer bytes of text counts as nearly empty
	leastLate     = 1000      // minimum bytes of noscript or hidden text that may replace a nearly empty page
	maxNoscript   = 256 << 10 // maximum bytes of a noscript element that are read
)

func (r *Reader) release(w *walker) {
	if cap(w.text.fold.Buf)+32*cap(w.text.spans)+88*cap(w.parts)+250*cap(w.open) <= maxPooled {
		w.found, w.picks, w.switches = markup.Found{}, nil, switches{} // a pooled walker keeps no page
		r.walkers.Put(w)
	}
}

// Read reads the tree of a page. The result refers to nodes of the tree. Read errs with ErrEmpty or
// ErrBinary, or if a configured selector would take too long.
func (r *Reader) Read(root *html.Node, s *Selectors) (Page, error) {
	w, err := r.walk(root, s)
	if err != nil {
		return Page{}, err
	}
	defer r.release(w)
	f, blocks := &w.found, len(w.text.spans)
	fold := &w.text.fold
	switch {
	case fold.Bad >= 4 && fold.Bad*20 > fold.Seen: // text read in a wrong charset has fewer bad bytes
		return Page{}, ErrBinary
	case !f.Body && !f.Scripts && blocks == 0:
		return Page{}, ErrEmpty
	}
	w.own()
	ranges, picked := w.regions.choose(blocks)
	if !picked {
		is := w.typeOf(ranges)
		ranges = w.named(ranges)
		ranges = withoutBoilerplate(ranges, w.parts, w.text.size(ranges), is)
		ranges = w.text.withoutActions(ranges)
	}
	for i := range f.Dates {
		d := &f.Dates[i]
		if d.Block < 0 || d.Block >= blocks {
			continue
		}
		if w.text.spans[d.Block].size() <= maxDated {
			d.Text = string(w.text.block(d.Block))
		}
		if !overlap(ranges, span{d.Block, d.Block + 1}) {
			d.Block = -1
		}
	}
	for i := range f.Heads {
		f.Heads[i].Text = markup.TextOf(f.Heads[i].Node, maxHead)
	}
	f.Heads = slices.DeleteFunc(f.Heads, func(h markup.Head) bool { return h.Text == "" })
	f.Articles = w.regions.articles
	unmatched := len(s.content) > 0 && len(w.regions.picked) == 0
	return Page{Found: *f, Blocks: w.text.copied(ranges, picked), Unmatched: unmatched, Late: w.late()}, nil
}

// own marks the blocks that the profile (text that the site's pages share) must not remove: those of the main
// element from the title on, except parts that may be boilerplate.
func (w *walker) own() {
	all, title := w.text.spans, 0
	for _, h := range slices.Backward(w.found.Heads) {
		if h.Node.DataAtom == atom.H1 && h.Block < len(all) && all[h.Block].in&(inMain|inText) != 0 {
			title = h.Block
		}
	}
	var doubts []span
	end := len(all)
	for _, p := range slices.Backward(w.parts) { // an outer part comes after its inner parts
		if p.blocks.to <= end {
			doubts, end = append(doubts, p.blocks), p.blocks.from
		}
	}
	slices.Reverse(doubts)
	for _, s := range subtract([]span{{title, len(all)}}, doubts) {
		for i := s.from; i < s.to; i++ {
			if all[i].in&(inMain|inText) != 0 {
				all[i].in |= own
			}
		}
	}
}

// named narrows the last range to the container of the main text, if the container's class says so. Of the
// blocks before the container, named keeps the h1 and running text.
func (w *walker) named(ranges []span) (kept []span) {
	last := ranges[len(ranges)-1]
	weight := 4 * w.text.size(ranges[len(ranges)-1:])
	var mainText span
	var all, most int
	for _, t := range w.regions.texts {
		if t.blocks.from >= last.to || t.blocks.to <= last.from {
			continue
		}
		all += t.weight
		if t.weight > most {
			most, mainText = t.weight, t.blocks
		}
	}
	if most*10 < all*9 || most*2 < weight || most <= 0 {
		return ranges
	}
	kept = ranges[:len(ranges)-1]
	for i := last.from; i < mainText.from; i++ {
		hasTitle := func(h markup.Head) bool { return h.Block == i && h.Node.DataAtom == atom.H1 }
		isProse := w.text.spans[i].size() >= leastLead && 2*w.text.spans[i].linked < w.text.spans[i].size()
		if isProse || slices.ContainsFunc(w.found.Heads, hasTitle) {
			kept = append(kept, span{i, i + 1})
		}
	}
	return append(kept, span{max(mainText.from, last.from), min(mainText.to, last.to)})
}

func (w *walker) typeOf(ranges []span) (is pageType) {
	prose, all := 0, 0
	for _, r := range ranges {
		for _, s := range w.text.spans[r.from:r.to] {
			all += s.size()
			if s.size() >= leastProse && 2*s.linked < s.size() {
				prose += s.size()
			}
		}
	}
	// in a forum, comments are the content
	isForum := markup.HoldsAny(w.found.Meta("generator"), "forum") || w.linked(`DiscussionForumPosting"`, `QAPage"`)
	is.product = w.product || w.linked(`"Product"`, `"ProductGroup"`)
	is.prose = prose*2 >= all && !isForum
	saysArticle := strings.EqualFold(w.found.Meta("og:type"), "article") || w.linked(`Article"`, `BlogPosting"`)
	is.article = is.prose && saysArticle
	return is
}

func (w *walker) linked(a, b string) bool {
	return slices.ContainsFunc(w.found.Linked, func(source string) bool {
		return strings.Contains(source, a) || strings.Contains(source, b)
	})
}
