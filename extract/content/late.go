package content

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// Where text comes from that scripts are to show.
const (
	LateNoscript = "noscript-text" // what stands for clients without scripts
	LateStreamed = "streamed-text" // segments behind the page, which a script moves to their place
	LateHidden   = "hidden-text"   // elements that are hidden until a script shows them
)

// walk reads the tree, and what it holds for clients without scripts in its place where
// it shows next to nothing itself.
func (r *Reader) walk(root *html.Node, s *Selectors) (*walker, error) {
	w, err := r.walkTree(root, s)
	if err != nil || len(w.noscript) < leastLate || !w.isNearlyEmpty() {
		return w, err
	}
	instead, err := html.ParseWithOptions(strings.NewReader(markup.Clip(w.noscript, maxNoscript)), html.ParseOptionEnableScripting(false))
	if err != nil {
		return w, nil // the page itself is there
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

// walkTree reads the tree, and again with less trust in the marks of furniture
// while no content is left. Text that a page with scripts has in its frame alone
// is the frame of an empty shell; what its styles hide may be the page.
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
	case w.isMost(w.out.named):
		isRead = once(pass{trust: trustTags})
	case w.isMost(w.out.hidden):
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

// isMost reports whether text that a mark of furniture keeps out is most of a page.
func (w *walker) isMost(out int) bool {
	return out >= leastLate && w.isNearlyEmpty() && !w.isTitled()
}

// late returns how the text of a page comes late, if most does.
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

// isNearlyEmpty reports whether a page shows a few words at most, and nothing that the
// owner's selector names.
func (w *walker) isNearlyEmpty() bool {
	return len(w.text.fold.Buf) < leastRevealed && len(w.regions.picked) == 0
}

// isTitled reports whether a page shows a title of its own: a short one must not be taken
// for its cookie notice.
func (w *walker) isTitled() bool {
	return slices.ContainsFunc(w.found.Heads, func(h markup.Head) bool { return h.Own && h.Node.DataAtom == atom.H1 })
}
