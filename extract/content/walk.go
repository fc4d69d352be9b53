package content

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

const (
	maxMetas  = 256
	maxHeads  = 16
	maxDates  = 256
	maxLinked = 32
	maxTrails = 8
)

// walker reads a tree in one walk. It gathers blocks of text, and facts such as dates.
type walker struct {
	text       writer
	open       []frame // open elements, the innermost last
	found      markup.Found
	regions    regions
	parts      []part
	picks      map[*html.Node]pick
	outHidden  int // bytes of text left out only because its element is hidden
	outDropped int // bytes of running text that was removed at the end of an element
	streamed   int // bytes of text in segments that a script moves into place
	product    bool
	instead    bool               // the walk read a noscript element in place of the page
	noscript   string             // the longest noscript element
	classes    map[string]verdict // the meanings of class attributes, kept from page to page
	pass       pass
	switches   switches
}

type frame struct {
	node          *html.Node
	kind          markup.Kind
	in            place
	block         bool
	fate          fate
	doubt         doubt
	main          bool
	h1            bool   // the element holds the page's h1 directly, not in an inner container
	text          bool   // the class or itemprop names the element as the main text's container
	holds         bool   // contains the page's h1, main element or picked content, so it is no boilerplate
	heaviestChild int    // greatest weight (region.weight) of one child
	focus         region // the innermost container with nearly all text of the child that has this weight
	begun         state
}

// state is the size of the output when an element was opened. To drop the element, the method leave cuts the
// output to this size.
type state struct {
	mark
	heads, dates, parts, texts int
	articles                   int
}

func (w *walker) read(root *html.Node, picks map[*html.Node]pick, known switches, p pass) {
	p.opened = w.pass.opened
	clear(p.opened)
	w.text = writer{fold: markup.Folder{Buf: w.text.fold.Buf[:0]}, spans: w.text.spans[:0]}
	w.open, w.parts = append(w.open[:0], frame{}), w.parts[:0]
	w.found, w.regions, w.outHidden, w.outDropped = markup.Found{}, regions{texts: w.regions.texts[:0]}, 0, 0
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

// enter reads a node and reports whether to walk its children. If so, leave must be called after them.
func (w *walker) enter(n *html.Node) bool {
	switch n.Type {
	case html.DocumentNode:
		w.open = append(w.open, frame{node: n})
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
			w.outHidden += len(strings.TrimSpace(n.Data))
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
	e := element{n, markup.KindOf(n), markup.AttrsOf(n)}
	f, a := frame{node: n, kind: e.kind}, &e.attrs
	f.block = f.kind.Is(markup.Block)
	// a table cell that contains blocks is used for the layout of the page
	for c := n.FirstChild; c != nil && f.kind.Is(markup.Cell) && !f.block; c = c.NextSibling {
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
	isTitle := n.DataAtom == atom.H1 && f.in&(muted|inLink|unindexed) == 0 &&
		w.switches.off == 0 && !markup.IsLinked(n)
	f.h1 = n.DataAtom == atom.H1 && (isTitle || f.main || chosen == pickContent)
	w.push(&f, up)
	if isTitle || f.main || chosen == pickContent {
		for i := len(w.open) - 1; i >= 0 && !w.open[i].holds; i-- {
			w.open[i].holds = true
		}
	}
	return true
}

func (w *walker) push(f *frame, up place) {
	n := f.node
	isBreak := n.DataAtom == atom.Br
	// neighbouring links without text between them need a space, because CSS separates them
	isNextLink := n.DataAtom == atom.A && n.PrevSibling != nil && n.PrevSibling.DataAtom == atom.A
	isEdge := f.block || f.fate >= fateDrop || isBreak && up&inPre != 0
	w.separate(isEdge, f.kind.Is(markup.Cell|markup.Control) || isNextLink)
	if isBreak && up&(inPre|muted) == 0 && f.fate < fateDrop {
		if w.text.breakAt == len(w.text.fold.Buf) { // the second br element in a row ends the block
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

func (w *walker) separate(endsBlock, endsWord bool) {
	if endsBlock {
		w.text.flush()
	} else if endsWord {
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
	if f.holds { // an element with the h1 or the main text is no breadcrumb trail
		w.found.Crumbs = slices.DeleteFunc(w.found.Crumbs, func(n *html.Node) bool { return n == f.node })
	}
	switch {
	case !f.holds && f.fate.drops(m):
		s, t := &f.begun, &w.text
		w.outDropped += m.prose
		t.spans, t.links, t.in, t.fold.Buf = t.spans[:s.blocks], 0, 0, t.fold.Buf[:s.bytes]
		t.fold.Start, t.fold.Space, t.breakAt, t.sum = s.bytes, false, -1, s.tally
		w.found.Heads, w.found.Dates = w.found.Heads[:s.heads], w.found.Dates[:s.dates]
		w.regions.articles, w.regions.texts = s.articles, w.regions.texts[:s.texts]
		w.parts = w.parts[:s.parts]
	case f.text && m.blocks.size() > 0:
		// a container of main text replaces the containers of main text inside it
		w.regions.texts = append(w.regions.texts[:f.begun.texts], region{m.blocks, m.weight()})
		fallthrough
	case f.block:
		w.regions.close(f, up, m)
		if !f.holds && f.in&inPick == 0 && m.blocks.size() > 0 {
			if p := partOf(f.kind, f.doubt, m, w.text.block(m.blocks.from)); p.why != doubtNone {
				w.parts = append(w.parts, p)
			}
		}
	}
	f.node = nil // a pooled walker must not keep a page in memory
}

// note keeps the facts of an element from which fields such as the title are made.
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
		name := cmp.Or(markup.Attr(n, "property"), markup.Attr(n, "name"), markup.Attr(n, "http-equiv"))
		text := markup.Attr(n, "content")
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
			h := markup.Head{Node: n, Linked: linked, At: len(w.text.fold.Buf), Block: len(w.text.spans)}
			h.Own = in&inMain != 0 || !linked
			f.Heads = append(f.Heads, h)
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

// noteDate keeps a node that may give a date. In text that is left out, only the footer of an article counts.
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
