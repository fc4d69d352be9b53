package extract

import (
	"strings"

	"golang.org/x/net/html"
)

// commentPair is two comments between which a page is not to be indexed, by
// their first words in lower case.
type commentPair struct{ off, on string }

// pairs is a set of comment pairs, by bits.
type pairs uint64

const maxPairs = 64

// commentPairs returns the pairs that search engines know, and the owner's.
func commentPairs(between []string) []commentPair {
	known := []commentPair{{"googleoff", "googleon"}, {"stopindex", "startindex"}, {"noindex", "/noindex"}}
	for _, words := range between {
		if w := strings.Fields(strings.ToLower(words)); len(w) == 2 && len(known) < maxPairs {
			known = append(known, commentPair{w[0], w[1]})
		}
	}
	return known
}

// switches are the comment pairs of a walk.
type switches struct {
	known  []commentPair
	off    pairs        // open now
	last   []*html.Node // the page's last closing comment of each pair; nil: not looked for yet
	passed pairs        // its last closing comment is behind
}

// turn takes a comment. What it opens and no later one closes does not count: a
// forgotten end, often at the top of the body, would cost the page.
func (w *walker) turn(n *html.Node) {
	s := &w.switches
	off, on := s.said(n.Data)
	if off|on == 0 {
		return
	}
	if s.last == nil {
		w.findLast(n)
	}
	s.off &^= on
	for i := range s.known {
		if s.last[i] == n {
			s.passed |= 1 << i
		}
	}
	s.off |= off &^ s.passed
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

// findLast looks for the last closing comments from here on, in what the walk
// will go into. What has none is passed.
func (w *walker) findLast(from *html.Node) {
	s := &w.switches
	s.last, s.passed = make([]*html.Node, len(s.known)), ^pairs(0)
	for n := from; n != nil; n = w.after(n) {
		if n.Type != html.CommentNode {
			continue
		}
		if _, on := s.said(n.Data); on != 0 {
			s.passed &^= on
			for i := range s.known {
				if on&(1<<i) != 0 {
					s.last[i] = n
				}
			}
		}
	}
}

// after returns the next node of the walk in document order.
func (w *walker) after(n *html.Node) *html.Node {
	if n.FirstChild != nil && !w.skips(n) {
		return n.FirstChild
	}
	for n != nil && n.NextSibling == nil {
		n = n.Parent
	}
	if n == nil {
		return nil
	}
	return n.NextSibling
}

// skips reports whether the walk does not go into an element.
func (w *walker) skips(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	a := attrsOf(n)
	return w.picks[n] == pickExclude || a.excluded || ownShape(n) == shapeNone
}
