package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// walker reads a tree in one walk: text as blocks, and what the fields are made
// of. It walks by the nodes' own pointers and keeps what is open in a slice, so
// that depth costs no stack.
type walker struct {
	text    writer
	open    []frame
	found   findings
	regions regions
	picks   map[*html.Node]pick // by the owner's selectors
	trust   trust
}

// pick is what the owner's selectors say of an element.
type pick int

const (
	pickContent pick = iota + 1
	pickExclude
)

// where says what an element stands in, inherited from its ancestors.
type where uint16

const (
	inBody where = 1 << iota
	inMain       // main, article, or the owner's content
	inArticle
	inSection // any of them, or a section: a header here is the section's own
	inLink
	inLabel
	inHeading // also summary and dt: a button here is a heading to click on
	inPre
	inPick
	muted // text is not wanted, fields are
)

// frame is an open element.
type frame struct {
	node  *html.Node
	in    where
	shape shape
	fate  fate
	main  bool // the main element or role
	holds bool // the page's h1, its main region or the owner's: never furniture by name
	mark  mark // what there was when it was opened
	child heft // its heaviest child
}

// mark is a point of the walk to measure from or go back to.
type mark struct {
	blocks, bytes, links, labels int
	heads, dates                 int
	articles                     int
	article                      region
}

func (w *walker) reset() {
	w.text.reset()
	clear(w.found.metas) // what is pooled must not keep a page
	clear(w.found.crumbs)
	w.open = w.open[:0]
	w.found = findings{metas: w.found.metas[:0], crumbs: w.found.crumbs[:0]}
	w.regions = regions{picked: w.regions.picked[:0]}
	w.picks = nil
}

// walk reads the whole tree under root.
func (w *walker) walk(root *html.Node) {
	w.open = append(w.open, frame{})
	for n := root; ; n = n.NextSibling {
		for w.enter(n) {
			if n.FirstChild == nil {
				w.leave()
				break
			}
			n = n.FirstChild
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
			w.leave()
		}
		if n == root {
			w.text.flush()
			return
		}
	}
}

// enter takes a node and reports whether its children are wanted; if so leave
// must follow.
func (w *walker) enter(n *html.Node) bool {
	switch n.Type {
	case html.DocumentNode:
		w.open = append(w.open, frame{node: n})
		return true
	case html.TextNode:
		if !isReference(n) {
			w.write(n.Data)
		}
	case html.ElementNode:
		return w.enterElement(n)
	}
	return false
}

func (w *walker) enterElement(n *html.Node) bool {
	chosen := w.picks[n]
	if chosen == pickExclude {
		return false
	}
	a := attrsOf(n)
	up := &w.open[len(w.open)-1]
	f := frame{node: n, shape: shapeOf(n), in: up.in | placeOf(n, &a)}
	if f.fate = w.fateOf(n, &a, up.in, f.shape); f.fate == fateMute {
		f.in |= muted
	}
	if chosen == pickContent {
		f.in = f.in&^muted | inMain | inSection | inPick
		f.fate, f.shape = fateKeep, shapeBlock
	}
	w.note(n, &a, f.in, up.in)
	if f.shape == shapeNone {
		return false
	}
	f.main = n.DataAtom == atom.Main || strings.EqualFold(a.role, "main")
	w.push(f, up.in)
	if n.DataAtom == atom.H1 && f.in&(muted|inLink) == 0 && !isLinked(n) || f.main || chosen == pickContent {
		w.hold()
	}
	return true
}

func (w *walker) push(f frame, up where) {
	switch {
	case f.shape == shapeBlock || f.fate >= fateDrop:
		w.text.flush()
	case f.shape == shapeCell:
		w.text.space = true
	case f.node.DataAtom == atom.Br && up&inPre != 0:
		w.text.flush()
	case f.node.DataAtom == atom.Br && up&muted == 0:
		w.text.breakLine()
	}
	f.mark = w.now()
	w.open = append(w.open, f)
}

func (w *walker) now() mark {
	return mark{
		len(w.text.spans), len(w.text.buf), w.found.links, w.found.labels,
		len(w.found.heads), len(w.found.dates), w.regions.articles, w.regions.article,
	}
}

// leave closes the innermost open element.
func (w *walker) leave() {
	f := &w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	switch {
	case f.shape == shapeBlock || f.fate >= fateDrop:
		w.text.flush()
	case f.shape == shapeCell:
		w.text.space = true
	}
	if f.holds {
		w.found.notTrail(f.node)
	}
	switch {
	case w.drops(f):
		w.rewind(f.mark)
	case f.shape == shapeBlock:
		w.regions.close(w, f, &w.open[len(w.open)-1])
	}
	f.node = nil
}

// rewind takes out what an element gave; the h1 and the main region are never
// in it.
func (w *walker) rewind(m mark) {
	w.text.rewind(m.blocks, m.bytes)
	w.found.links, w.found.labels = m.links, m.labels
	w.found.heads, w.found.dates = w.found.heads[:m.heads], w.found.dates[:m.dates]
	w.regions.articles, w.regions.article = m.articles, m.article
}

// hold marks every open element as holding what no furniture holds. Each is
// marked once, however often this is called.
func (w *walker) hold() {
	for i := len(w.open) - 1; i >= 0 && !w.open[i].holds; i-- {
		w.open[i].holds = true
	}
}

func (w *walker) write(s string) {
	in := w.open[len(w.open)-1].in
	if in&muted != 0 || in&inBody == 0 {
		return
	}
	before := len(w.text.buf)
	if in&inPre != 0 {
		w.text.writeLines(s)
	} else {
		w.text.write(s)
	}
	if in&inLink != 0 {
		w.found.links += len(w.text.buf) - before
	}
	if in&inLabel != 0 {
		w.found.labels += len(w.text.buf) - before
	}
}

// placeOf says what the children of an element stand in.
func placeOf(n *html.Node, a *attrs) where {
	switch n.DataAtom {
	case atom.Body, atom.Frameset:
		return inBody
	case atom.Main:
		return inMain | inSection
	case atom.Article:
		return inMain | inArticle | inSection
	case atom.Section:
		return inSection
	case atom.A:
		if a.linked {
			return inLink
		}
	case atom.Label, atom.Legend, atom.Button:
		return inLabel
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Summary, atom.Dt:
		return inHeading
	case atom.Pre, atom.Listing, atom.Xmp:
		return inPre
	}
	return 0
}
