package content

import (
	"strings"

	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// trust says which signs of boilerplate (menus and other text that is not content) are believed. If a page
// would lose all its content, it is read again with less trust.
type trust int

const (
	trustNames trust = iota // believe tags, roles, and the names in class and id
	trustTags               // believe tags and roles
	trustNone               // leave out only hidden and excluded elements
)

type pass struct {
	trust    trust
	revealed bool            // also read hidden elements, except dialogs and menus
	opened   map[string]bool // IDs, found so far, of the elements that are shown after a click
}

const (
	maxOpened     = 1000
	maxFrameDepth = 7   // the class of an element with more ancestors is judged as in the main element
	maxHead       = 500 // maximum bytes of a heading that are read
)

type fate int

const (
	fateKeep  fate = iota
	fateMute       // leave the text out
	fateHide       // leave the text out, because the element is hidden
	fateDrop       // at the end tag, remove the text, unless the element holds the h1 or the main region
	fateLinks      // like fateDrop, if at least half of the text is in links
	fateForm       // like fateDrop, if all text is in labels
)

// fateOf decides whether the text of e is kept. up has the flags of the parent. depth counts the ancestors.
// isBlock says that e starts a block of text. said is the verdict on the class attribute.
func (p *pass) fateOf(e *element, up place, isBlock bool, depth int, said verdict) fate {
	n, a := e.node, &e.attrs
	if n.DataAtom == atom.Html || n.DataAtom == atom.Body {
		return fateKeep // some pages hide html or body until a script has run
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
		return fateMute // this is the column with the line numbers of a code listing
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
	if e.kind.Is(markup.Heading) || up&inMain != 0 { // here an ID names a section of the content
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
			return fateLinks // a callout box is content, unless half of its text is in links
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
	case "navigation", "complementary", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar",
		"toolbar", "tooltip", "status":
		return fateMute
	}
	return fateKeep
}

func fateByName(names string, up place) fate {
	for name := range strings.FieldsSeq(strings.ToLower(names)) {
		switch said := markup.WordOf(name); {
		case said&markup.Drop != 0:
			return fateDrop
		case said&markup.DropLinks != 0:
			return fateLinks
		case isConsent(name):
			return fateDrop
		case up&inMain == 0 && (said&markup.Frame != 0 ||
			strings.HasPrefix(name, "footer") || strings.HasSuffix(name, "footer")):
			return fateDrop
		}
	}
	return fateKeep
}

func isConsent(name string) bool {
	_, after, found := strings.Cut(name, "cookie")
	return found && markup.HoldsAny(after, "cookie") || markup.BeginsAny(name, "consent")
}

func (f fate) drops(m measure) bool {
	text := m.text - m.blocks.size() // without the line feed of each block
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

// isPanel reports whether a click shows the hidden element, as in an accordion, in tabs or in a carousel.
func (p *pass) isPanel(e *element) bool {
	a := &e.attrs
	switch {
	case !e.kind.Is(markup.Block) || !e.mayShow():
		return false
	case fateByName(a.Class, 0) != fateKeep, fateByName(a.ID, 0) != fateKeep:
		return false
	case a.ID != "" && p.opened[a.ID]:
		return true
	case strings.EqualFold(a.Role, "tabpanel"), strings.EqualFold(a.Role, "region"):
		return true
	}
	return isPanelName(a.Class) || isPanelName(a.ID)
}

// isSegment reports whether an element is a streamed segment of a React page: a script moves it into place.
func (e *element) isSegment() bool { return e.attrs.Hidden && strings.HasPrefix(e.attrs.ID, "S:") }

// mayShow reports whether a script may show a hidden element when the page is ready.
func (e *element) mayShow() bool {
	return e.node.DataAtom != atom.Dialog && fateByRole(e.attrs.Role) == fateKeep &&
		!markup.HoldsAny(e.attrs.Class+" "+e.attrs.ID, "overlay")
}

func isPanelName(names string) bool { return len(names) <= 500 && markup.HoldsAny(names, "panel") }
