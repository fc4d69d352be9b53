package content

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// regions are the candidates for the page's main region, as ranges of blocks.
type regions struct {
	main     region
	article  region
	articles int // not counting those inside another
	body     region
	focus    region // the densest container of the body
	hero     span   // the container of the page's h1
	picked   []span // by extract.content
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
	holds bool // the page's h1, its main region or the owner's: never furniture by name
	child heft // its heaviest child
}

// heft is a child's weight and the densest container in it.
type heft struct {
	weight int
	holds  bool
	focus  region
}

// close takes the measure of an element that ends, for its own candidacy and
// for its parent's.
func (r *regions) close(b, up *box, m measure) {
	own := region{blocks: m.blocks, weight: 4*m.text - 3*m.links}
	if b.in&inPick != 0 && up.in&inPick == 0 {
		r.picked = append(r.picked, own.blocks)
	}
	switch {
	case b.main && own.weight > r.main.weight:
		r.main = own
	case b.in&inArticle != 0 && up.in&inArticle == 0 && own.weight > 0:
		r.articles++
		r.article = own
	}
	r.head(b, up, own, m.text)
	h := heft{own.weight, b.holds, densest(b, own)}
	if h.weight > up.child.weight {
		up.child = h
	}
	if b.node.DataAtom == atom.Body {
		r.body, r.focus = own, h.focus
	}
}

// maxHero is how many bytes a title and its lead have at most.
const maxHero = 1000

// head finds the container of the page's h1, and continues to those around it
// while they add but a lead: at least half of it is no link.
func (r *regions) head(b, up *box, own region, size int) {
	if !b.h1 {
		return
	}
	if !b.kind.Is(markup.Container) && b.node.DataAtom != atom.Header {
		up.h1 = true
		return
	}
	if first := r.hero == (span{}); first || b.node.DataAtom != atom.Body && size <= maxHero && own.weight >= 2*size {
		r.hero = own.blocks
		up.h1 = first || size < maxHero/4
	}
}

// densest goes down into a child that holds nine tenths of the weight, and the
// h1 where there is one; what it leaves out is a tenth of the text at most.
func densest(b *box, own region) region {
	c := b.child
	switch {
	case c.focus.weight*10 >= own.weight*9 && (c.holds || !b.holds) && c.focus.weight > 0:
		return c.focus
	case b.kind.Is(markup.Container):
		return own
	}
	return region{}
}

// choose returns the ranges of blocks that are the page's content, and whether the
// owner's selector says so.
func (r *regions) choose(blocks int) (ranges []span, picked bool) {
	for _, p := range r.picked {
		if p.from < p.to {
			return r.picked, true
		}
	}
	found := r.found(span{0, blocks})
	if r.hero.from < r.hero.to && r.hero.to <= found.from {
		ranges = append(ranges, r.hero) // a title and its lead before the main part
	}
	return append(ranges, found), len(r.picked) > 0
}

// found prefers what the page itself calls its main part. Where several
// articles stand beside each other the page is a list of them, and a main part
// with less than a third of the text is a mistake of the template.
func (r *regions) found(all span) span {
	switch {
	case r.main.weight > 0 && r.main.weight*3 >= r.body.weight:
		return r.main.blocks
	case r.articles == 1 && r.article.weight*2 >= r.body.weight:
		return r.article.blocks
	case r.focus.weight > 0:
		return r.focus.blocks
	}
	return all
}
