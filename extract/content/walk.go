package content

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// Bounds on what one page may make us keep beside its text.
const (
	maxMetas  = 256
	maxHeads  = 16
	maxDates  = 256
	maxLinked = 32
	maxTrails = 8
)

// walker reads a tree in one walk: text as blocks, and what the fields are made
// of. It walks by the nodes' own pointers and keeps what is open in a slice, so
// that depth costs no stack.
type walker struct {
	text     writer
	open     []frame
	found    markup.Found
	regions  regions
	parts    []part
	picks    map[*html.Node]pick // by the owner's selectors
	out      out                 // what was read and left out
	streamed int                 // bytes of text in segments that a script moves to their place
	product  bool                // its microdata says that it is one
	instead  bool                // it read what stands for clients without scripts
	noscript string              // the longest text for clients without scripts
	classes  map[string]verdict  // of class attributes, also on the pages before
	pass     pass
	switches switches
}

// out counts bytes of text that one mark of furniture alone keeps out: its being hidden,
// a name (of running text).
type out struct{ hidden, named int }

// frame is an open element.
type frame struct {
	box
	block bool // it ends the blocks around it
	fate  fate
	doubt doubt
	begun state
}

// state is what there was when an element was opened.
type state struct {
	mark
	heads, dates, parts, texts int
	articles                   int
}

// read walks the whole tree under root, in place of what was read before.
func (w *walker) read(root *html.Node, picks map[*html.Node]pick, known switches, p pass) {
	p.opened = w.pass.opened
	clear(p.opened)
	w.text = writer{fold: markup.Folder{Buf: w.text.fold.Buf[:0]}, spans: w.text.spans[:0]}
	w.open, w.parts = append(w.open[:0], frame{}), w.parts[:0]
	w.found, w.regions, w.out = markup.Found{}, regions{texts: w.regions.texts[:0]}, out{}
	w.streamed, w.noscript, w.product, w.instead = 0, "", false, false
	w.picks, w.pass, w.switches = picks, p, known
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
		w.open = append(w.open, frame{box: box{node: n}})
		return true
	case html.TextNode:
		in := w.open[len(w.open)-1].in
		if in&inBody == 0 || w.isDark(in) {
			break
		}
		if markup.MayDate(n.Data) {
			w.noteDate(n, in)
		}
		switch {
		case in&hidden != 0:
			w.out.hidden += len(strings.TrimSpace(n.Data))
		case in&muted == 0 && !markup.IsReference(n):
			before := len(w.text.fold.Buf)
			w.text.write(n.Data, in)
			if in&inSegment != 0 {
				w.streamed += len(w.text.fold.Buf) - before
			}
		}
	case html.ElementNode:
		return w.enterElement(n)
	case html.CommentNode:
		w.switches.turn(n.Data)
	}
	return false
}

func (w *walker) enterElement(n *html.Node) bool {
	chosen, up := w.picks[n], w.open[len(w.open)-1].in
	e := elementOf(n)
	f, a := frame{box: box{node: n, kind: e.kind}}, &e.attrs
	f.block = f.kind.Is(markup.Block)
	for c := n.FirstChild; c != nil && f.kind.Is(markup.Cell) && !f.block; c = c.NextSibling { // a cell that lays out the page
		f.block = c.Type == html.ElementNode && markup.KindOf(c).Is(markup.Block)
	}
	if chosen == pickExclude || a.Excluded {
		w.found.Body = true
		w.separate(f.block && !f.kind.Is(markup.Cell), f.kind.Is(markup.Cell))
		return false
	}
	f.in = e.within(up)
	w.decide(&f, &e, up)
	for id := range strings.FieldsSeq(a.Opens) {
		if f.in&muted == 0 && len(w.pass.opened) < maxOpened {
			w.pass.opened[strings.TrimPrefix(id, "#")] = true
		}
	}
	if chosen == pickContent {
		f.in = f.in&^(muted|hidden) | inMain | inSection | inPick
		f.fate, f.block = fateKeep, true
	}
	w.found.Body = w.found.Body || up&inBody != 0 || w.isDark(f.in)
	if !w.isDark(f.in) {
		w.note(&e, f.in)
	}
	if f.kind.Is(markup.Blank) && !f.block {
		w.text.fold.Space = w.text.fold.Space || f.kind.Is(markup.Control)
		return false
	}
	f.main = n.DataAtom == atom.Main || strings.EqualFold(a.Role, "main")
	isTitle := n.DataAtom == atom.H1 && f.in&(muted|inLink|unindexed) == 0 && w.switches.off == 0 && !markup.IsLinked(n)
	f.h1 = n.DataAtom == atom.H1 && (isTitle || f.main || chosen == pickContent)
	w.push(&f, up)
	if isTitle || f.main || chosen == pickContent { // no furniture holds it; each frame is marked once
		for i := len(w.open) - 1; i >= 0 && !w.open[i].holds; i-- {
			w.open[i].holds = true
		}
	}
	return true
}

func (w *walker) push(f *frame, up place) {
	n := f.node
	isBreak := n.DataAtom == atom.Br
	isNextLink := n.DataAtom == atom.A && n.PrevSibling != nil && n.PrevSibling.DataAtom == atom.A // kept apart by their look alone
	w.separate(f.block || f.fate >= fateDrop || isBreak && up&inPre != 0, f.kind.Is(markup.Cell|markup.Control) || isNextLink)
	if isBreak && up&(inPre|muted) == 0 && f.fate < fateDrop {
		if w.text.breakAt == len(w.text.fold.Buf) { // the second in a row ends the block
			w.text.flush()
		} else {
			w.text.fold.Space, w.text.breakAt = true, len(w.text.fold.Buf)
		}
	}
	f.begun = state{
		mark{len(w.text.spans), len(w.text.fold.Buf), w.text.sum}, len(w.found.Heads), len(w.found.Dates), len(w.parts),
		len(w.regions.texts), w.regions.articles,
	}
	w.open = append(w.open, *f)
}

// separate keeps the words before and after the edge of an element apart.
func (w *walker) separate(blocks, words bool) {
	if blocks {
		w.text.flush()
	} else if words {
		w.text.fold.Space = true
	}
}

func (w *walker) leave() {
	f, up := &w.open[len(w.open)-1], &w.open[max(0, len(w.open)-2)]
	w.open = w.open[:len(w.open)-1]
	w.separate(f.block || f.fate >= fateDrop, f.kind.Is(markup.Cell|markup.Control))
	m := w.text.since(f.begun.mark)
	if f.kind.Is(markup.Heading) && 2*m.links > m.text {
		w.text.sum.offers++
	}
	if f.holds { // a part of the page that is named after the trail in it
		w.found.Crumbs = slices.DeleteFunc(w.found.Crumbs, func(n *html.Node) bool { return n == f.node })
	}
	switch {
	case !f.holds && f.fate.drops(m):
		s, t := &f.begun, &w.text
		w.out.named += m.prose
		t.spans, t.links, t.in, t.fold.Buf = t.spans[:s.blocks], 0, 0, t.fold.Buf[:s.bytes]
		t.fold.Start, t.fold.Space, t.breakAt, t.sum = s.bytes, false, -1, s.tally
		w.found.Heads, w.found.Dates = w.found.Heads[:s.heads], w.found.Dates[:s.dates]
		w.regions.articles, w.regions.texts = s.articles, w.regions.texts[:s.texts]
		w.parts = w.parts[:s.parts]
	case f.text && m.blocks.size() > 0:
		w.regions.texts = append(w.regions.texts[:f.begun.texts], region{m.blocks, m.weight()}) // in place of those inside it
		fallthrough
	case f.block:
		w.regions.close(&f.box, &up.box, m)
		if !f.holds && f.in&inPick == 0 && m.blocks.size() > 0 {
			if p := partOf(f.kind, f.doubt, m, w.text.block(m.blocks.from)); p.why != doubtNone {
				w.parts = append(w.parts, p)
			}
		}
	}
	f.node = nil // what is pooled must not keep a page
}

// note takes what an element gives to the fields; in is where its children stand.
func (w *walker) note(e *element, in place) {
	f, n, a := &w.found, e.node, &e.attrs
	switch n.DataAtom {
	case atom.Html:
		f.Lang = cmp.Or(f.Lang, a.Lang)
	case atom.Title:
		if f.Title == "" {
			f.Title = markup.TextOf(n, maxHead)
		}
	case atom.Meta:
		name, text := cmp.Or(markup.Attr(n, "property"), markup.Attr(n, "name"), markup.Attr(n, "http-equiv")), markup.Attr(n, "content")
		if name != "" && text != "" && len(f.Metas) < maxMetas {
			f.Metas = append(f.Metas, markup.Meta{Name: strings.ToLower(name), Content: text})
		}
	case atom.Script:
		switch {
		case !strings.Contains(strings.ToLower(markup.Attr(n, "type")), "ld+json"):
			f.Scripts = true
		case n.FirstChild != nil && len(f.Linked) < maxLinked:
			f.Linked = append(f.Linked, n.FirstChild.Data)
		}
	case atom.Noscript:
		if c := n.FirstChild; c != nil && in&muted == 0 && len(c.Data) > len(w.noscript) {
			w.noscript = c.Data
		}
	case atom.H1, atom.H2, atom.H3:
		if in&muted == 0 && len(f.Heads) < maxHeads {
			linked := in&inLink != 0 || markup.IsLinked(n)
			f.Heads = append(f.Heads, markup.Head{Node: n, Own: in&inMain != 0 || !linked, Linked: linked, At: len(w.text.fold.Buf), Block: len(w.text.spans)})
		}
	case atom.Time, atom.Abbr:
		if !strings.HasPrefix(a.Itemprop, "date") {
			w.noteDate(n, in)
		}
	}
	w.product = w.product || strings.HasSuffix(a.Itemtype, "schema.org/Product")
	if strings.HasPrefix(a.Itemprop, "date") {
		w.noteDate(n, in|inFoot)
	}
	if len(f.Crumbs) < maxTrails && e.isTrail() {
		f.Crumbs = append(f.Crumbs, n)
	}
}

// noteDate takes a node that may give a date. Of what is left out of the text the footer of
// an article counts alone.
func (w *walker) noteDate(n *html.Node, in place) {
	d := markup.Date{Node: n, At: len(w.text.fold.Buf), Block: len(w.text.spans)}
	switch {
	case len(w.found.Dates) == maxDates || in&(muted|inFoot) == muted:
		return
	case in&muted != 0:
		d.Block, d.Text = -1, markup.TextOf(n.Parent, maxDated)
	}
	w.found.Dates = append(w.found.Dates, d)
}
