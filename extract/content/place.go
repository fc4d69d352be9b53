package content

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// place is a set of flags about an element's ancestors and the element itself.
type place uint32

const (
	inBody place = 1 << iota
	inMain       // in main, in article, or in the content that the configured selector picks
	inArticle
	inSection // in main, article, section or picked content; a header element there is content
	inLink
	inLabel
	inHeading // in a heading, summary or dt: a button here opens the text below
	inPre
	inPick
	inFoot
	muted     // the text is no content, but may still give a date or a breadcrumb trail
	hidden    // muted only because the element is hidden until a script shows it
	inSegment // in a part of a React page that a script moves into place (see isSegment)
	unindexed // the innermost attribute about indexing keeps the text out of the index
	inText    // in the container whose class names it as the main text
	own       // the profile (text that the site's pages share) must not remove the text
)

type element struct {
	node  *html.Node
	kind  markup.Kind
	attrs markup.Attrs
}

func (e *element) within(up place) place {
	in := up
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
	switch tag, a := e.node.DataAtom, &e.attrs; {
	case tag == atom.Main, strings.EqualFold(a.Role, "main") && tag != atom.Body:
		in |= inMain | inSection
	case tag == atom.Body, tag == atom.Frameset:
		in |= inBody
	case tag == atom.Article:
		in |= inMain | inArticle | inSection
	case tag == atom.Section:
		in |= inSection
	case tag == atom.A && a.Linked:
		in |= inLink
	case e.kind.Is(markup.Label):
		in |= inLabel
	case e.kind.Is(markup.Click):
		in |= inHeading
	case e.kind.Is(markup.Lines):
		in |= inPre
	}
	return in
}

func (e *element) isTrail() bool {
	switch e.node.DataAtom {
	case atom.Body, atom.Html, atom.Script, atom.Li:
		return false
	}
	a := &e.attrs
	return containsFold(a.Class, "breadcrumb") || containsFold(a.ID, "breadcrumb") ||
		containsFold(a.Label, "breadcrumb") || containsFold(a.Label, "brødkrumme") ||
		strings.HasSuffix(a.Itemtype, "/BreadcrumbList")
}

func containsFold(s, lower string) bool {
	return len(s) >= len(lower) && strings.Contains(strings.ToLower(s), lower)
}

// commentPair names two HTML comments by their first words, in lower case. Text between them is not indexed.
type commentPair struct{ off, on string }

type pairs uint64

const maxPairs = 64

// switches tracks, during a walk, which comment pairs are open.
type switches struct {
	known    []commentPair
	off      pairs          // pairs that were opened and not closed yet
	met      [maxPairs]int  // number of closing comments of each pair so far
	closings *[maxPairs]int // number of closing comments of each pair on the page; nil: not known yet
}

// turn opens or closes the pairs that a comment names. An opening comment that no closing comment follows
// could remove the rest of the page. If s.closings is known, turn ignores such a comment.
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

// said returns the pairs that a comment opens (off) and closes (on). "googleoff: anchors" opens no pair,
// because it excludes no text from the index.
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

// isDark reports whether an attribute or a comment keeps text at this place from the index.
func (w *walker) isDark(in place) bool { return in&unindexed != 0 || w.switches.off != 0 }
