package content

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

const (
	leastStories = 3  // headings that are links, and controls, of a list of teasers
	maxHeading   = 50 // bytes of a heading that names a part of the frame
)

// regions are the candidates for the page's main region, as ranges of blocks.
type regions struct {
	main     region // the heaviest main element
	articles int    // not counting those inside another
	body     region
	focus    region   // the densest container of the body
	hero     span     // the container of the page's h1
	picked   []span   // by extract.content
	texts    []region // the containers that are named after the page's text, none in another
}

type region struct {
	blocks span
	weight int
}

// box is what an open element is for the choice of the region.
type box struct {
	node  *html.Node
	kind  markup.Kind
	in    place
	main  bool // the main element or role
	h1    bool // the page's h1 is in it, and no container in between
	text  bool // it is named after the page's text
	holds bool // the page's h1, its main region or the owner's: never furniture by name
	child heft // its heaviest child
}

// heft is a child's weight and the densest container in it.
type heft struct {
	weight int
	focus  region
}

func (m *measure) weight() int { return 4*m.text - 3*m.links }

// close takes the measure of an element that ends, for its own candidacy and
// for its parent's.
func (r *regions) close(b, up *box, m measure) {
	own := region{blocks: m.blocks, weight: m.weight()}
	if b.in&inPick != 0 && up.in&inPick == 0 {
		r.picked = append(r.picked, own.blocks)
	}
	switch {
	case b.main && r.main.weight > 0 && own.weight > 0 && own.blocks.from >= r.main.blocks.to: // beside those before it
		r.main = region{span{r.main.blocks.from, own.blocks.to}, r.main.weight + own.weight}
	case b.main && own.weight > r.main.weight:
		r.main = own
	case b.in&inArticle != 0 && up.in&inArticle == 0 && own.weight > 0:
		r.articles++
	}
	switch {
	case !b.h1:
	case !b.kind.Is(markup.Container) && b.node.DataAtom != atom.Header:
		up.h1 = true
	case r.hero == (span{}):
		r.hero = own.blocks
	}
	h := heft{weight: own.weight}
	// a child counts that holds nine tenths of the weight
	if c := b.child; c.focus.weight*10 >= own.weight*9 && c.focus.weight > 0 {
		h.focus = c.focus
	} else if b.kind.Is(markup.Container) {
		h.focus = own
	}
	if h.weight > up.child.weight {
		up.child = h
	}
	if b.node.DataAtom == atom.Body {
		r.body, r.focus = own, h.focus
	}
}

// choose returns the ranges of blocks that are the page's content, and whether the owner's
// selector says so. Else it prefers what the page itself calls its main part: one with less than
// a third of the text is a mistake of the template.
func (r *regions) choose(blocks int) (ranges []span, picked bool) {
	if slices.ContainsFunc(r.picked, func(p span) bool { return p.size() > 0 }) {
		return r.picked, true
	}
	found := span{0, blocks}
	switch {
	case r.main.weight > 0 && r.main.weight*3 >= r.body.weight:
		found = r.main.blocks
	case r.focus.weight > 0:
		found = r.focus.blocks
	}
	if r.hero.from < r.hero.to && r.hero.to <= found.from {
		ranges = append(ranges, r.hero) // a title and its lead before the main part
	}
	return append(ranges, found), len(r.picked) > 0
}

// doubt is why a part of the region may be furniture. Only the whole page tells,
// so it is settled at the end.
type doubt uint8

const (
	doubtNone    doubt = iota
	doubtSure          // a word of its name is one that nothing else has
	doubtName          // a word of its name is one that furniture has
	doubtLinks         // it is mostly links
	doubtStories       // it lists other stories
	doubtTalk          // readers' comments
	doubtReview        // customers' reviews
)

// pageType is what a page is: half of it is running text, and it is no forum's; it calls itself an
// article as well; it is a product's.
type pageType struct{ prose, article, product bool }

// part is a doubtful part of the page.
type part struct {
	measure
	why doubt
}

// partOf decides at the end of an element whether it is a doubtful part: by its name,
// its first line and its links.
func partOf(kind markup.Kind, why doubt, m measure, first []byte) part {
	var said markup.Word // of a heading
	if m.blocks.size() > 1 && len(first) < maxHeading {
		said = markup.WordOf(strings.TrimRight(strings.ToLower(string(first)), " :…?!."))
	}
	switch {
	case why != doubtNone && why != doubtName || !kind.Is(markup.List):
	case said&markup.AsideHeading != 0:
		why = doubtSure
	case said&markup.Stories != 0:
		why = doubtStories
	case why == doubtNone && m.links*10 >= m.text*6:
		why = doubtLinks
	case why == doubtNone && m.offers >= leastStories && m.links*4 >= m.text:
		why = doubtStories // teasers
	}
	return part{m, why}
}

// withoutBoilerplate returns the ranges, which have size bytes, without the doubtful
// parts that are furniture on a page of this kind: from the end of the page on, the
// outer ones first. Comments aside it takes a third of the text at most.
func withoutBoilerplate(ranges []span, parts []part, size int, is pageType) []span {
	most, end := size/3, math.MaxInt
	var cuts []span
	for _, p := range slices.Backward(parts) {
		switch {
		case p.blocks.to > end || !p.isBoilerplate(size, is) || !overlap(ranges, p.blocks):
			continue
		case p.why == doubtTalk || p.why == doubtReview:
		case p.text > most:
			continue
		default:
			most -= p.text
		}
		cuts, end = append(cuts, p.blocks), p.blocks.from
	}
	slices.Reverse(cuts)
	return subtract(ranges, cuts)
}

func (p *part) isBoilerplate(size int, is pageType) bool {
	switch p.why {
	case doubtTalk:
		return is.article && p.text*4 <= size*3
	case doubtReview:
		return is.product && !is.article && p.text*2 <= size
	case doubtSure:
		return true
	case doubtStories:
		return is.prose
	case doubtName: // text without links is kept on what is no article, as the footer of a card
		return is.article || p.links*2 >= p.text
	}
	return is.article
}

// Bounds of a link that stands in each item of a list: "Reply", "Add to basket".
const (
	maxAction   = 40 // bytes
	leastAction = 3  // times
)

// withoutActions cuts out the blocks that are one short link which the page
// repeats.
func (t *writer) withoutActions(ranges []span) []span {
	actions := map[string][]span{}
	for _, r := range ranges {
		for i := r.from; i < r.to; i++ {
			if text := t.block(i); len(text) <= maxAction && t.spans[i].linked > 0 && t.spans[i].linked+3 >= len(text) {
				actions[string(text)] = append(actions[string(text)], span{i, i + 1})
			}
		}
	}
	var cuts []span
	size := 0
	for text, blocks := range actions {
		if len(blocks) >= leastAction {
			cuts, size = append(cuts, blocks...), size+len(blocks)*len(text)
		}
	}
	if len(cuts) == 0 || size*3 > t.size(ranges) {
		return ranges
	}
	slices.SortFunc(cuts, func(a, b span) int { return a.from - b.from })
	return subtract(ranges, cuts)
}
