package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxOpened bounds the IDs that are kept of one page.
const maxOpened = 1000

// noteOpener takes the IDs of what a click on an element shows.
func (w *walker) noteOpener(ids string) {
	if w.opened == nil {
		w.opened = make(map[string]bool)
	}
	for id := range strings.FieldsSeq(ids) {
		if len(w.opened) < maxOpened {
			w.opened[strings.TrimPrefix(id, "#")] = true
		}
	}
}

// isPanel reports whether what is hidden is a part of the text that a click
// shows: of an accordion, of tabs, of a carousel. Menus and dialogs are none.
func (w *walker) isPanel(n *html.Node, a *attrs) bool {
	switch {
	case ownShape(n) != shapeBlock || n.DataAtom == atom.Dialog || fateByRole(a.role, 0) != fateKeep:
		return false
	case isOverlayName(a.class) || isOverlayName(a.id) || doubtOf(a.class, a.id) != doubtNone || fateByName(a.class, 0) != fateKeep || fateByName(a.id, 0) != fateKeep:
		return false
	case a.id != "" && w.opened[a.id]:
		return true
	}
	return strings.EqualFold(a.role, "tabpanel") || strings.EqualFold(a.role, "region") || isPanelName(a.class) || isPanelName(a.id)
}

// isOpener reports whether a button is the heading of the panel that follows it.
func isOpener(n *html.Node, a *attrs) bool {
	panel := n.NextSibling
	for panel != nil && panel.Type != html.ElementNode {
		panel = panel.NextSibling
	}
	if panel == nil || ownShape(panel) != shapeBlock || doubtOf(a.class, a.id) != doubtNone {
		return false
	}
	b := attrsOf(panel)
	if panel.DataAtom == atom.Dialog || fateByTag(panel, &b, 0) != fateKeep || fateByRole(b.role, 0) != fateKeep || doubtOf(b.class, b.id) != doubtNone {
		return false
	}
	return isPanelName(a.class) || b.id != "" && slices.Contains(strings.Fields(strings.ReplaceAll(a.opens, "#", "")), b.id)
}

// isStyled reports whether an element may be hidden only until a script shows
// the page.
func isStyled(n *html.Node, a *attrs) bool {
	return n.DataAtom != atom.Dialog && !a.hidden && fateByRole(a.role, 0) == fateKeep && doubtOf(a.class, a.id) == doubtNone
}

func isPanelName(names string) bool {
	if len(names) > 500 {
		return false
	}
	return containsAny(names, "accordion", "collaps", "panel", "tab-", "tab_", "tabs", "toggle", "expand", "faq", "answer", "slide", "carousel", "spoiler", "readmore", "read-more")
}

// isOverlayName knows what opens over the page, and copies.
func isOverlayName(names string) bool {
	return containsAny(names, "menu", "drawer", "canvas", "cart", "basket", "search", "dialog", "clone", "template")
}

func containsAny(s string, words ...string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(s, word) })
}

// isCallout knows the names of boxes that belong to the text around them.
func isCallout(names string) bool {
	return containsAny(names, "callout", "admonition", "note", "hint", "tip", "warning", "important", "fact", "fakta")
}

func previous(n *html.Node) *html.Node { return n.PrevSibling }
func next(n *html.Node) *html.Node     { return n.NextSibling }

// isFlow reports whether a node is of running text, or what follows it in a
// direction after white space.
func isFlow(n *html.Node, further func(*html.Node) *html.Node) bool {
	for n != nil && (n.Type == html.CommentNode || n.Type == html.TextNode && strings.TrimSpace(n.Data) == "") {
		n = further(n)
	}
	if n == nil {
		return false
	}
	switch n.DataAtom {
	case atom.P, atom.H2, atom.H3, atom.H4, atom.Ul, atom.Ol, atom.Dl, atom.Pre, atom.Blockquote, atom.Figure, atom.Table:
		return true
	}
	return n.Type == html.TextNode
}
