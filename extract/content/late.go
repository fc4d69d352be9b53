package content

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// Kinds of text that a page shows only by scripts, or only to clients without scripts.
const (
	LateNoscript = "noscript-text" // in noscript elements
	LateStreamed = "streamed-text" // in segments at the end of the page, which a script moves into place
	LateHidden   = "hidden-text"   // in elements that are hidden until a script shows them
)

// walk reads the tree of a page, or the longest noscript element if the page has almost no other text.
func (r *Reader) walk(root *html.Node, s *Selectors) (*walker, error) {
	w, err := r.walkTree(root, s)
	if err != nil || len(w.noscript) < leastLate || !w.isNearlyEmpty() {
		return w, err
	}
	source := strings.NewReader(markup.Clip(w.noscript, maxNoscript))
	instead, err := html.ParseWithOptions(source, html.ParseOptionEnableScripting(false))
	if err != nil {
		return w, nil
	}
	late, err := r.walkTree(instead, s)
	if err != nil || len(late.text.fold.Buf) < leastLate || w.isTitled() && late.regions.main.weight == 0 {
		return w, nil
	}
	late.instead = true
	f := &late.found
	f.Lang, f.Title, f.Metas, f.Linked = w.found.Lang, w.found.Title, w.found.Metas, w.found.Linked
	r.release(w)
	return late, nil
}

// walkTree reads the tree. If little or no content is left, it reads the tree again: with less trust in the
// signs of boilerplate (text such as menus), or including hidden elements.
func (r *Reader) walkTree(root *html.Node, s *Selectors) (*walker, error) {
	picks, err := s.pick(root)
	if err != nil {
		return nil, err
	}
	w := r.walkers.Get().(*walker)
	once := func(p pass) bool {
		w.read(root, picks, switches{known: r.pairs}, p)
		if w.switches.off != 0 {
			met := w.switches.met
			w.read(root, picks, switches{known: r.pairs, closings: &met}, p)
		}
		return len(w.text.spans) > 0
	}
	isRead := once(pass{})
	switch {
	case w.isMost(w.outDropped):
		isRead = once(pass{trust: trustTags})
	case w.isMost(w.outHidden):
		isRead = once(pass{revealed: true})
	}
	if isRead || once(pass{trust: trustTags}) || !w.found.Scripts && once(pass{trust: trustNone}) {
		return w, nil
	}
	if !once(pass{revealed: true}) || len(w.text.fold.Buf) < leastRevealed {
		once(pass{trust: trustTags})
	}
	return w, nil
}

func (w *walker) isMost(leftOut int) bool {
	return leftOut >= leastLate && w.isNearlyEmpty() && !w.isTitled()
}

// late returns the Late constant that fits most of the page's text, or "" if most of the text is ordinary.
func (w *walker) late() string {
	switch {
	case w.instead:
		return LateNoscript
	case w.pass.revealed && len(w.text.spans) > 0:
		return LateHidden
	case 2*w.streamed > len(w.text.fold.Buf):
		return LateStreamed
	}
	return ""
}

func (w *walker) isNearlyEmpty() bool {
	return len(w.text.fold.Buf) < leastRevealed && len(w.regions.picked) == 0
}

// isTitled reports whether the page shows an h1. Hidden text never replaces a page with an h1.
func (w *walker) isTitled() bool {
	return slices.ContainsFunc(w.found.Heads, func(h markup.Head) bool { return h.Own && h.Node.DataAtom == atom.H1 })
}
