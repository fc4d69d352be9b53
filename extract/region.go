package extract

import (
	"golang.org/x/net/html/atom"

	"sitesync/internal/document"
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

// heft is a child's weight and the densest container in it.
type heft struct {
	weight int
	holds  bool
	focus  region
}

// close takes the measure of an element that ends, for its own candidacy and
// for its parent's.
func (r *regions) close(w *walker, f, up *frame) {
	own := region{
		blocks: span{f.mark.blocks, len(w.text.spans)},
		weight: 4*(len(w.text.buf)-f.mark.bytes) - 3*(w.found.links-f.mark.links),
	}
	r.claim(f, up, own)
	r.head(w, f, up, own)
	h := heft{weight: own.weight, holds: f.holds, focus: densest(f, own)}
	if h.weight > up.child.weight {
		up.child = h
	}
	if f.node.DataAtom == atom.Body {
		r.body, r.focus = own, h.focus
	}
}

func (r *regions) claim(f, up *frame, own region) {
	if f.in&inPick != 0 && up.in&inPick == 0 {
		r.picked = append(r.picked, own.blocks)
	}
	switch {
	case f.main && own.weight > r.main.weight:
		r.main = own
	case f.in&inArticle != 0 && up.in&inArticle == 0 && own.weight > 0:
		r.articles++
		r.article = own
	}
}

// maxHero is how many bytes a title and its lead have at most.
const maxHero = 1000

// head finds the container of the page's h1, and goes on to those around it
// while they add but a lead: at least half of it is no link.
func (r *regions) head(w *walker, f, up *frame, own region) {
	if !f.h1 {
		return
	}
	if !isContainer(f.node) && f.node.DataAtom != atom.Header {
		up.h1 = true
		return
	}
	size := len(w.text.buf) - f.mark.bytes
	if first := r.hero == (span{}); first || f.node.DataAtom != atom.Body && size <= maxHero && own.weight >= 2*size {
		r.hero = own.blocks
		up.h1 = first || size < maxHero/4
	}
}

// densest goes down into a child that holds nine tenths of the weight, and the
// h1 where there is one; what it leaves out is a tenth of the text at most.
func densest(f *frame, own region) region {
	c := f.child
	if c.focus.weight*10 >= own.weight*9 && (c.holds || !f.holds) && c.focus.weight > 0 {
		return c.focus
	}
	if isContainer(f.node) {
		return own
	}
	return region{}
}

// content returns the ranges of blocks that are the page's content.
func (e *Extractor) content(p *document.Page, w *walker) []span {
	ranges := w.regions.choose(len(w.text.spans))
	if len(w.regions.picked) > 0 {
		return ranges // the owner knows
	}
	article := w.isArticle(ranges)
	ranges = w.withoutActions(w.settle(ranges, article))
	if article {
		return e.refine(w, p.Root, ranges)
	}
	return ranges
}

// choose returns the ranges of blocks that are the page's content.
func (r *regions) choose(blocks int) []span {
	for _, p := range r.picked {
		if p.from < p.to {
			return r.picked
		}
	}
	found := r.found(span{0, blocks})
	if r.hero.from < r.hero.to && r.hero.to <= found.from {
		return []span{r.hero, found} // a title and its lead before the main part
	}
	return []span{found}
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
