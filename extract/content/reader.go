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

// Selectors are the owner's words on where the main content of a page is.
type Selectors struct{ content, exclude []selector } // of the content one at most

type selector struct {
	goquery.Matcher
	text string // behind its key
}

// With returns the selectors with other content, where some is named, and more excluded. An
// error names the key below key.
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

// pick is what the owner's selectors say of an element.
type pick int

const (
	pickContent pick = iota + 1
	pickExclude
)

// pick finds the elements that the owner's selectors name. It errs when a selector takes
// too long.
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

// Page is what a Reader found on a page.
type Page struct {
	Found     markup.Found
	Blocks    []document.Block // the main content
	Unmatched bool             // the owner's selector matches nothing
	Late      string           // where most of the text comes from, if scripts are to show it; else empty
}

// Why a tree makes no page.
var (
	ErrEmpty  = errors.New("the HTML is empty: it holds no element and no text")
	ErrBinary = errors.New("the body is labelled HTML but is binary data; correct its Content-Type")
)

// Reader reads pages.
type Reader struct {
	pairs   []commentPair
	walkers sync.Pool
}

// NewReader returns a Reader that leaves out what stands between comments: the pairs
// that search engines know, and those of between, such as "cludooff cludoon".
func NewReader(between []string) *Reader {
	known := []commentPair{{"googleoff", "googleon"}, {"stopindex", "startindex"}, {"noindex", "/noindex"}}
	for _, words := range between {
		if w := strings.Fields(strings.ToLower(words)); len(w) == 2 && len(known) < maxPairs {
			known = append(known, commentPair{w[0], w[1]})
		}
	}
	return &Reader{pairs: known, walkers: sync.Pool{New: func() any { return &walker{pass: pass{opened: map[string]bool{}}, classes: map[string]verdict{}} }}}
}

const (
	maxPooled     = 4 << 20 // bytes: one giant page must not hold its memory for the rest of a run
	leastLead     = 60      // bytes of a sentence before the text
	maxDated      = 120     // bytes of a block in which a date stands for the page; running text mentions dates
	leastRevealed = 300     // bytes of a page that scripts show late; a shell has a few words
	leastLate     = 1000    // bytes of text that scripts show, or that clients without scripts are shown
	maxNoscript   = 256 << 10
)

func (r *Reader) release(w *walker) {
	if cap(w.text.fold.Buf)+32*cap(w.text.spans)+88*cap(w.parts)+250*cap(w.open) <= maxPooled {
		w.found, w.picks, w.switches = markup.Found{}, nil, switches{} // what is pooled must not keep a page
		r.walkers.Put(w)
	}
}

// Read reads the tree of a page. What it returns keeps nodes of the tree. It errs with
// ErrEmpty or ErrBinary.
func (r *Reader) Read(root *html.Node, s *Selectors) (Page, error) {
	w, err := r.walk(root, s)
	if err != nil {
		return Page{}, err
	}
	defer r.release(w)
	f, blocks := &w.found, len(w.text.spans)
	fold := &w.text.fold
	switch {
	case fold.Bad >= 4 && fold.Bad*20 > fold.Seen: // more than any mislabelled character set explains
		return Page{}, ErrBinary
	case !f.Body && !f.Scripts && blocks == 0:
		return Page{}, ErrEmpty
	}
	w.own()
	ranges, picked := w.regions.choose(blocks)
	if !picked { // else the owner knows
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

// own marks the blocks that are the page's by their place, whatever other pages say: the main
// part from its title on, other than its doubtful parts.
func (w *walker) own() {
	all, title := w.text.spans, 0
	for _, h := range slices.Backward(w.found.Heads) {
		if h.Node.DataAtom == atom.H1 && h.Block < len(all) && all[h.Block].in&(inMain|inText) != 0 {
			title = h.Block
		}
	}
	var doubts []span
	end := len(all)
	for _, p := range slices.Backward(w.parts) { // the outer ones first
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

// named keeps of the ranges the container that is named after the page's text, and
// before it the title and sentences.
func (w *walker) named(ranges []span) (kept []span) {
	last := ranges[len(ranges)-1]
	weight := 4 * w.text.size(ranges[len(ranges)-1:])
	var text span // the container that the page names after its text
	var all, most int
	for _, t := range w.regions.texts {
		if t.blocks.from >= last.to || t.blocks.to <= last.from {
			continue
		}
		all += t.weight
		if t.weight > most {
			most, text = t.weight, t.blocks
		}
	}
	// nearly all that is so named must be in it, and half of the region
	if most*10 < all*9 || most*2 < weight || most <= 0 {
		return ranges
	}
	kept = ranges[:len(ranges)-1]
	for i := last.from; i < text.from; i++ {
		own := slices.ContainsFunc(w.found.Heads, func(h markup.Head) bool { return h.Block == i && h.Node.DataAtom == atom.H1 })
		if own || w.text.spans[i].size() >= leastLead && 2*w.text.spans[i].linked < w.text.spans[i].size() {
			kept = append(kept, span{i, i + 1})
		}
	}
	return append(kept, span{max(text.from, last.from), min(text.to, last.to)})
}

// typeOf tells what a page is by what it calls itself, and by the prose in the ranges.
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
	// on a thread of a forum comments are the content
	isForum := markup.HoldsAny(w.found.Meta("generator"), "forum") || linkedHolds(&w.found, `DiscussionForumPosting"`, `QAPage"`)
	is.product = w.product || linkedHolds(&w.found, `"Product"`, `"ProductGroup"`)
	is.prose = prose*2 >= all && !isForum
	is.article = is.prose && (strings.EqualFold(w.found.Meta("og:type"), "article") || linkedHolds(&w.found, `Article"`, `BlogPosting"`))
	return is
}

// linkedHolds reports whether the JSON-LD of a page holds one of two words.
func linkedHolds(f *markup.Found, a, b string) bool {
	return slices.ContainsFunc(f.Linked, func(source string) bool { return strings.Contains(source, a) || strings.Contains(source, b) })
}
