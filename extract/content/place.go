package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// place says what an element stands in, inherited from its ancestors.
type place uint32

const (
	inBody place = 1 << iota
	inMain       // main, article, or the owner's content
	inArticle
	inSection // any of them, or a section: a header here is the section's own
	inLink
	inLabel
	inHeading // also summary and dt: a button here is a heading to click on
	inPre
	inPick
	inFoot    // the footer of an article
	muted     // text is not wanted, fields are
	hidden    // muted for no other reason than that scripts have yet to show it
	inSegment // see isSegment
	unindexed // neither is, by the owner's marks; a mark inside may say otherwise
	inText    // the container that is named after the page's text
	own       // see walker.own
)

// element is an element that the walk enters.
type element struct {
	node  *html.Node
	kind  markup.Kind
	attrs markup.Attrs
}

func elementOf(n *html.Node) element {
	return element{node: n, kind: markup.KindOf(n), attrs: markup.AttrsOf(n)}
}

// within returns the place of an element whose parent's is up.
func (e *element) within(up place) place {
	in := up | e.place()
	if e.isSegment() {
		in |= inSegment
	}
	switch {
	case e.attrs.Off:
		in |= unindexed
	case e.attrs.On:
		in &^= unindexed
	}
	if e.node.DataAtom == atom.Footer && up&(inArticle|muted) == inArticle {
		in |= inFoot
	}
	return in
}

// place says what the children of an element stand in.
func (e *element) place() place {
	switch tag, a := e.node.DataAtom, &e.attrs; {
	case tag == atom.Main, strings.EqualFold(a.Role, "main") && tag != atom.Body:
		return inMain | inSection
	case tag == atom.Body, tag == atom.Frameset:
		return inBody
	case tag == atom.Article:
		return inMain | inArticle | inSection
	case tag == atom.Section:
		return inSection
	case tag == atom.A && a.Linked:
		return inLink
	case e.kind.Is(markup.Label):
		return inLabel
	case e.kind.Is(markup.Click):
		return inHeading
	case e.kind.Is(markup.Lines):
		return inPre
	}
	return 0
}

func (e *element) isTrail() bool {
	switch e.node.DataAtom {
	case atom.Body, atom.Html, atom.Script, atom.Li:
		return false
	}
	a := &e.attrs
	return containsFold(a.Class, "breadcrumb") || containsFold(a.ID, "breadcrumb") ||
		containsFold(a.Label, "breadcrumb") || containsFold(a.Label, "brødkrumme") || strings.HasSuffix(a.Itemtype, "/BreadcrumbList")
}

func containsFold(s, lower string) bool {
	return len(s) >= len(lower) && strings.Contains(strings.ToLower(s), lower)
}

// commentPair is two comments between which a page is not to be indexed, by
// their first words in lower case.
type commentPair struct{ off, on string }

// pairs is a set of comment pairs, by bits.
type pairs uint64

const maxPairs = 64

// switches are the comment pairs of a walk.
type switches struct {
	known    []commentPair
	off      pairs          // open now
	met      [maxPairs]int  // closings of each pair so far
	closings *[maxPairs]int // of each pair on the page; nil: not known yet
}

// turn takes a comment. Where the closings of the page are known, an opening that has none behind
// it does not count: a forgotten end, often at the top of the body, would cost the page.
func (s *switches) turn(comment string) {
	off, on := s.said(comment)
	for i := range s.known {
		switch bit := pairs(1) << i; {
		case on&bit != 0:
			s.off &^= bit
			s.met[i]++
		case off&bit != 0 && (s.closings == nil || s.met[i] < s.closings[i]):
			s.off |= bit
		}
	}
}

// said returns the pairs that a comment opens and closes. What googleoff says of
// anchors and snippets alone opens nothing.
func (s *switches) said(comment string) (off, on pairs) {
	if len(comment) > 100 {
		return 0, 0
	}
	words := strings.Fields(strings.ToLower(comment))
	if len(words) == 0 {
		return 0, 0
	}
	word := strings.TrimRight(words[0], ":,;")
	if strings.HasPrefix(word, "googleo") {
		var about string
		word, about, _ = strings.Cut(strings.Join(words, ""), ":")
		if about != "" && !strings.Contains(about, "index") && !strings.Contains(about, "all") {
			return 0, 0
		}
	}
	for i, pair := range s.known {
		switch word {
		case pair.off:
			off |= 1 << i
		case pair.on:
			on |= 1 << i
		}
	}
	return off, on
}

// isDark reports whether the owner's marks keep what stands here out of the index.
func (w *walker) isDark(in place) bool { return in&unindexed != 0 || w.switches.off != 0 }
