package extract

import (
	"golang.org/x/net/html/atom"
)

// regions are the candidates for the page's main region, as ranges of blocks.
type regions struct {
	main     region
	article  region
	articles int // not counting those inside another
	body     region
	focus    region // the densest container of the body
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
	case f.node.DataAtom == atom.Article && up.in&inArticle == 0 && own.weight > 0:
		r.articles++
		r.article = own
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

// choose returns the ranges of blocks that are the page's content.
func (r *regions) choose(blocks int) []span {
	for _, p := range r.picked {
		if p.from < p.to {
			return r.picked
		}
	}
	return []span{r.found(span{0, blocks})}
}

// found prefers what the page itself calls its main part. Where several
// articles stand beside each other the page is a list of them, and a main part
// with less than a tenth of the text is a mistake of the template.
func (r *regions) found(all span) span {
	switch {
	case r.main.weight > 0 && r.main.weight*10 >= r.body.weight:
		return r.main.blocks
	case r.articles == 1 && r.article.weight*2 >= r.body.weight:
		return r.article.blocks
	case r.focus.weight > 0:
		return r.focus.blocks
	}
	return all
}
