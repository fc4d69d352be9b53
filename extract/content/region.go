package content

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

const (
	leastStories = 3  // minimum number of form controls and linked headings in a list of teasers
	maxHeading   = 50 // a block with fewer bytes may be a heading such as "Related articles"
)

// regions are the candidates for the page's main region.
type regions struct {
	main     region // the main element with the greatest weight
	articles int    // number of article elements, not counting those inside another one
	body     region
	focus    region   // the innermost container with nearly all text of the body
	hero     span     // the container of the page's h1
	picked   []span   // elements that the configured selector matches
	texts    []region // containers whose class names them as main text; none is inside another one
}

type region struct {
	blocks span
	weight int // 4 for each byte of text, but 1 for each byte in links
}

func (m *measure) weight() int { return 4*m.text - 3*m.links }

// close compares a finished element f with the candidates for the main region. m is the size of f's text, and
// up is f's parent. Main elements that follow each other are joined.
func (r *regions) close(f, up *frame, m measure) {
	own := region{blocks: m.blocks, weight: m.weight()}
	if f.in&inPick != 0 && up.in&inPick == 0 {
		r.picked = append(r.picked, own.blocks)
	}
	switch {
	case f.main && r.main.weight > 0 && own.weight > 0 && own.blocks.from >= r.main.blocks.to:
		r.main = region{span{r.main.blocks.from, own.blocks.to}, r.main.weight + own.weight}
	case f.main && own.weight > r.main.weight:
		r.main = own
	case f.in&inArticle != 0 && up.in&inArticle == 0 && own.weight > 0:
		r.articles++
	}
	switch {
	case !f.h1:
	case !f.kind.Is(markup.Container) && f.node.DataAtom != atom.Header:
		up.h1 = true
	case r.hero == (span{}):
		r.hero = own.blocks
	}
	var focus region
	if f.focus.weight > 0 && f.focus.weight*10 >= own.weight*9 {
		focus = f.focus
	} else if f.kind.Is(markup.Container) {
		focus = own
	}
	if own.weight > up.heaviestChild {
		up.heaviestChild, up.focus = own.weight, focus
	}
	if f.node.DataAtom == atom.Body {
		r.body, r.focus = own, focus
	}
}

// choose returns the ranges of the main content: the elements that the configured selector matches. If they
// have no text, choose returns the main element, if that has a third of the body's weight, else the focus or
// all blocks. picked reports whether the selector matched an element, even an empty one.
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
		ranges = append(ranges, r.hero) // the title and introduction before the main part
	}
	return append(ranges, found), len(r.picked) > 0
}

// doubt is the reason why a part of the page may be boilerplate (menus and other text that is not content).
// Whether the part stays is decided when the whole page is known.
type doubt uint8

const (
	doubtNone    doubt = iota
	doubtSure          // a word in the part's class always marks boilerplate
	doubtName          // a word in the part's class often marks boilerplate
	doubtLinks         // most of the part's text is in links
	doubtStories       // the part is a list of links to other articles
	doubtTalk          // the part has readers' comments
	doubtReview
)

type pageType struct {
	prose   bool // at least half of the text is running text, and the page belongs to no forum
	article bool // a page of prose that declares itself an article
	product bool
}

type part struct {
	measure
	why doubt
}

// partOf decides whether a finished element may be boilerplate. The parameter why is the doubt that the class
// of the element raises. firstBlock is the text of the element's first block.
func partOf(kind markup.Kind, why doubt, m measure, firstBlock []byte) part {
	var heading markup.Word
	if m.blocks.size() > 1 && len(firstBlock) < maxHeading {
		heading = markup.WordOf(strings.TrimRight(strings.ToLower(string(firstBlock)), " :…?!."))
	}
	switch {
	case why != doubtNone && why != doubtName || !kind.Is(markup.List):
	case heading&markup.AsideHeading != 0:
		why = doubtSure
	case heading&markup.Stories != 0:
		why = doubtStories
	case why == doubtNone && m.links*10 >= m.text*6:
		why = doubtLinks
	case why == doubtNone && m.offers >= leastStories && m.links*4 >= m.text:
		why = doubtStories
	}
	return part{m, why}
}

// withoutBoilerplate removes from the ranges the parts that are boilerplate on this type of page, the last
// part first. It removes at most a third of the bytes (size), not counting readers' comments and reviews.
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
	case doubtName: // pages that are not articles keep text with few links, such as a card's footer
		return is.article || p.links*2 >= p.text
	}
	return is.article
}

// Bounds of a link that repeats in each item of a list, such as "Reply" or "Add to basket".
const (
	maxAction   = 40 // maximum bytes of the link's text
	leastAction = 3  // minimum number of links with the same text
)

// withoutActions removes from the ranges each block that is only a short link, if the page repeats the link.
func (t *writer) withoutActions(ranges []span) []span {
	actions := map[string][]span{}
	for _, r := range ranges {
		for i := r.from; i < r.to; i++ {
			text, linked := t.block(i), t.spans[i].linked
			if len(text) <= maxAction && linked > 0 && linked+3 >= len(text) {
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
