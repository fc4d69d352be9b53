package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// trust is how far the marks of furniture are believed. A page whose content
// they take whole is read again with less.
type trust int

const (
	trustNames trust = iota // tags, roles, and the names in class and id
	trustTags               // tags and roles
	trustNone               // what is hidden or excluded alone is left out
)

// pass is the manner of one walk, and what it met that opens panels.
type pass struct {
	trust    trust
	revealed bool            // what is hidden is read, other than dialogs and menus
	opened   map[string]bool // IDs of what a click shows
}

const (
	maxOpened     = 1000 // IDs that are kept of one page
	maxFrameDepth = 7    // elements around a part of the frame: a header further inside is that of a teaser
	maxHead       = 500  // bytes of a heading that are read
)

// fate is what is done with an element's text.
type fate int

const (
	fateKeep  fate = iota
	fateMute       // left out from the start
	fateHide       // the same, because it is hidden
	fateDrop       // taken out at its end, unless it holds the h1 or the main region
	fateLinks      // the same where half of its text or more is links
	fateForm       // the same where it has no text but labels
)

// fateOf decides by the marks of an element; isBlock says that it ends the blocks
// around it, depth how many elements it stands in, said what its class says.
func (p *pass) fateOf(e *element, up place, isBlock bool, depth int, said verdict) fate {
	n, a := e.node, &e.attrs
	if n.DataAtom == atom.Html || n.DataAtom == atom.Body {
		return fateKeep // scripts that show a page late hide these
	}
	if a.IsHidden(n) && !p.isPanel(e) && !e.isSegment() && !(p.revealed && e.mayShow()) {
		return fateHide
	}
	if p.trust == trustNone {
		return fateKeep
	}
	if f := e.fateByTag(up); f != fateKeep {
		return f
	}
	if f := fateByRole(a.Role); f != fateKeep || p.trust == trustTags {
		return f
	}
	if said.unseen && n.DataAtom != atom.H1 {
		return fateMute
	}
	if (up&inPre != 0 || e.kind.Is(markup.Cell)) && markup.HoldsAny(a.Class, "numbers") &&
		strings.Trim(markup.TextOf(n, maxHead), "0123456789 ") == "" {
		return fateMute // the line numbers of a listing
	}
	if !isBlock {
		return fateKeep
	}
	f := said.fate
	if up&inMain != 0 || depth > maxFrameDepth {
		f = said.inMain
	}
	if f != fateKeep {
		return f
	}
	if e.kind.Is(markup.Heading) || up&inMain != 0 { // manuals name their sections by IDs
		return fateKeep
	}
	return fateByName(a.ID, up)
}

func (e *element) fateByTag(up place) fate {
	n, a := e.node, &e.attrs
	switch n.DataAtom {
	case atom.Footer, atom.Nav, atom.Search:
		return fateMute
	case atom.Aside:
		if markup.HoldsAny(a.Class, "callout") {
			return fateLinks // a box in the text
		}
		return fateMute
	case atom.Header:
		if up&inSection == 0 {
			return fateDrop
		}
	case atom.Button:
		if up&inHeading == 0 && (up&inSection == 0 || a.Opens == "" && !a.Toggles) {
			return fateMute
		}
	case atom.Form:
		return fateForm
	}
	return fateKeep
}

func fateByRole(role string) fate {
	switch strings.ToLower(role) {
	case "navigation", "complementary", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar", "tooltip", "status":
		return fateMute
	}
	return fateKeep
}

// fateByName goes by the names in a class or id attribute.
func fateByName(names string, up place) fate {
	for name := range strings.FieldsSeq(strings.ToLower(names)) {
		switch said := markup.WordOf(name); {
		case said&markup.Drop != 0:
			return fateDrop
		case said&markup.DropLinks != 0:
			return fateLinks
		case isConsent(name):
			return fateDrop
		case up&inMain == 0 && (said&markup.Frame != 0 || strings.HasPrefix(name, "footer") || strings.HasSuffix(name, "footer")):
			return fateDrop
		}
	}
	return fateKeep
}

// isConsent knows the names of the common consent tools, and those that sites
// make up for theirs.
func isConsent(name string) bool {
	_, after, found := strings.Cut(name, "cookie")
	return found && markup.HoldsAny(after, "cookie") || markup.BeginsAny(name, "consent")
}

// drops decides at the end of an element whether it was furniture.
func (f fate) drops(m measure) bool {
	text := m.text - m.blocks.size() // without line feeds
	switch f {
	case fateDrop:
		return true
	case fateLinks:
		return 2*m.links >= text
	case fateForm:
		return m.labels >= text
	}
	return false
}

// isPanel reports whether what is hidden is a part of the text that a click
// shows: of an accordion, of tabs, of a carousel. Menus and dialogs don't count.
func (p *pass) isPanel(e *element) bool {
	a := &e.attrs
	switch {
	case !e.kind.Is(markup.Block) || !e.mayShow() || fateByName(a.Class, 0) != fateKeep || fateByName(a.ID, 0) != fateKeep:
		return false
	case a.ID != "" && p.opened[a.ID]:
		return true
	}
	return strings.EqualFold(a.Role, "tabpanel") || strings.EqualFold(a.Role, "region") || isPanelName(a.Class) || isPanelName(a.ID)
}

// isSegment reports whether an element is a part of a page that React sends when it is
// ready: a script moves it to its place.
func (e *element) isSegment() bool { return e.attrs.Hidden && strings.HasPrefix(e.attrs.ID, "S:") }

// mayShow reports whether an element may be hidden only until a script shows
// the page.
func (e *element) mayShow() bool {
	return e.node.DataAtom != atom.Dialog && fateByRole(e.attrs.Role) == fateKeep &&
		!markup.HoldsAny(e.attrs.Class+" "+e.attrs.ID, "overlay")
}

func isPanelName(names string) bool { return len(names) <= 500 && markup.HoldsAny(names, "panel") }
