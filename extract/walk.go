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
	text     writer
	open     []frame
	found    findings
	regions  regions
	parts    []part
	picks    map[*html.Node]pick // by the owner's selectors
	trust    trust
	revealed bool // what styles hide is read
	switches switches
	opened   map[string]bool // IDs of what a click shows, by what came before
}

// frame is an open element.
type frame struct {
	node  *html.Node
	in    where
	shape shape
	fate  fate
	main  bool // the main element or role
	h1    bool // the page's h1 is in it, and no container in between
	holds bool // the page's h1, its main region or the owner's: never furniture by name
	doubt doubt
	mark  mark // what there was when it was opened
	child heft // its heaviest child
}

// mark is a point of the walk to measure from or go back to.
type mark struct {
	blocks, bytes, links, labels, locals, prose int
	heads, dates, parts                         int
	articles                                    int
	article                                     region
}

func (w *walker) reset() {
	w.text.reset()
	clear(w.found.metas) // what is pooled must not keep a page
	clear(w.found.crumbs)
	w.open, w.parts = w.open[:0], w.parts[:0]
	w.found = findings{metas: w.found.metas[:0], crumbs: w.found.crumbs[:0]}
	w.regions = regions{picked: w.regions.picked[:0]}
	w.picks, w.switches, w.revealed = nil, switches{}, false
	clear(w.opened)
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
	case html.CommentNode:
		w.turn(n)
	}
	return false
}

func (w *walker) enterElement(n *html.Node) bool {
	chosen := w.picks[n]
	a := attrsOf(n)
	if chosen == pickExclude || a.excluded {
		w.found.body = true
		w.skip(n)
		return false
	}
	up := &w.open[len(w.open)-1]
	f := frame{node: n, shape: shapeOf(n), in: up.in | placeOf(n, &a)}
	switch a.index {
	case indexOff:
		f.in |= unindexed
	case indexOn:
		f.in &^= unindexed
	}
	if f.fate = w.fateOf(n, &a, up.in, f.shape); f.fate == fateMute {
		f.in |= muted
	}
	if f.fate != fateMute && f.shape == shapeBlock && w.trust == trustNames {
		f.doubt = doubtOfNames(n, &a)
	}
	if a.opens != "" && f.in&muted == 0 {
		w.noteOpener(a.opens)
	}
	if chosen == pickContent {
		f.in = f.in&^muted | inMain | inSection | inPick
		f.fate, f.shape = fateKeep, shapeBlock
	}
	if w.dark(f.in) {
		w.found.body = true
	} else {
		w.note(n, &a, f.in, up.in)
	}
	if f.shape == shapeNone {
		w.text.space = w.text.space || isControl(n.DataAtom)
		return false
	}
	f.main = n.DataAtom == atom.Main || strings.EqualFold(a.role, "main")
	w.push(f, up.in)
	if n.DataAtom == atom.H1 && f.in&(muted|inLink|unindexed) == 0 && w.switches.off == 0 && !isLinked(n) || f.main || chosen == pickContent {
		w.hold()
		w.open[len(w.open)-1].h1 = n.DataAtom == atom.H1
	}
	return true
}

func (w *walker) push(f frame, up where) {
	switch {
	case f.shape == shapeBlock || f.fate >= fateDrop:
		w.text.flush()
	case f.shape == shapeCell || touches(f.node) || isControl(f.node.DataAtom):
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
		len(w.text.spans), len(w.text.buf), w.found.links, w.found.labels, w.found.locals, w.text.prose,
		len(w.found.heads), len(w.found.dates), len(w.parts), w.regions.articles, w.regions.article,
	}
}

// leave closes the innermost open element.
func (w *walker) leave() {
	f := &w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	switch {
	case f.shape == shapeBlock || f.fate >= fateDrop:
		w.text.flush()
	case f.shape == shapeCell || f.node != nil && isControl(f.node.DataAtom):
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
		w.doubts(f)
	}
	f.node = nil
}

// dark reports whether the owner's marks keep what stands here out of the index.
func (w *walker) dark(in where) bool { return in&unindexed != 0 || w.switches.off != 0 }

// skip keeps the words before and after an element apart that is not read.
func (w *walker) skip(n *html.Node) {
	switch ownShape(n) {
	case shapeBlock:
		w.text.flush()
	case shapeCell:
		w.text.space = true
	}
}

// rewind takes out what an element gave; the h1 and the main region are never
// in it.
func (w *walker) rewind(m mark) {
	w.text.rewind(m.blocks, m.bytes)
	w.text.prose = m.prose
	w.found.links, w.found.labels, w.found.locals = m.links, m.labels, m.locals
	w.found.heads, w.found.dates = w.found.heads[:m.heads], w.found.dates[:m.dates]
	w.regions.articles, w.regions.article = m.articles, m.article
	w.parts = w.parts[:m.parts]
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
	if in&muted != 0 || in&inBody == 0 || w.dark(in) {
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
		w.text.links += len(w.text.buf) - before
	}
	if in&inLocal != 0 {
		w.found.locals += len(w.text.buf) - before
	}
	if in&inLabel != 0 {
		w.found.labels += len(w.text.buf) - before
	}
}
