package extract

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// trust is how far the marks of furniture are believed. A page whose content
// they take whole is read again with less.
type trust int

const (
	trustNames trust = iota // tags, roles, and the names in class and id
	trustTags               // tags and roles
	trustNone               // what is hidden or excluded alone is left out
)

// fate is what becomes of an element's text.
type fate int

const (
	fateKeep  fate = iota
	fateMute       // left out from the start
	fateDrop       // taken out at its end, unless it holds the h1 or the main region
	fateLinks      // the same where half of its text or more is links
	fateForm       // the same where it has no text but labels
	fateTrail      // the same where it is short or mostly links
)

func (w *walker) fateOf(n *html.Node, a *attrs, up where, s shape) fate {
	if n.DataAtom == atom.Html || n.DataAtom == atom.Body {
		return fateKeep // scripts that show a page late hide these
	}
	if isHidden(n, a) && !w.isPanel(n, a) && !(w.revealed && isStyled(n, a)) {
		return fateMute
	}
	if w.trust == trustNone {
		return fateKeep
	}
	if f := fateByTag(n, a, up); f != fateKeep {
		return f
	}
	if f := fateByRole(a.role, up); f != fateKeep {
		return f
	}
	if w.trust == trustTags {
		return fateKeep
	}
	if n.DataAtom != atom.H1 && isUnseen(a.class) {
		return fateMute
	}
	if s != shapeBlock {
		return fateKeep
	}
	if isTrail(n, a) && !isHeading(n) && !isSlug(n, a.id) {
		return fateTrail
	}
	frame := up
	if len(w.open) > maxFrameDepth {
		frame |= inMain
	}
	if f := fateByName(a.class, frame); f != fateKeep {
		return f
	}
	return fateByID(n, a.id, up)
}

// maxFrameDepth is how many elements a part of the frame stands in at most: a
// header further inside is that of a teaser.
const maxFrameDepth = 7

// isHidden reports whether no reader sees the element.
func isHidden(n *html.Node, a *attrs) bool {
	if a.hidden || n.DataAtom == atom.Dialog && !a.open {
		return true
	}
	style := strings.ToLower(a.style)
	if !strings.Contains(style, "none") && !strings.Contains(style, "hidden") {
		return false
	}
	style = strings.Join(strings.Fields(style), "")
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// isUnseen knows the names of what screen readers alone are to say.
func isUnseen(names string) bool {
	for name := range strings.FieldsSeq(names) {
		switch name {
		case "visually-hidden", "visuallyhidden", "sr-only", "u-srOnly", "screen-reader-text", "screen-reader-only", "element-invisible", "u-hidden-visually", "a11y-hidden":
			return true
		}
	}
	return false
}

func fateByTag(n *html.Node, a *attrs, up where) fate {
	switch n.DataAtom {
	case atom.Footer:
		if n.Parent.DataAtom != atom.Blockquote { // there it names the source
			return fateMute
		}
	case atom.Nav, atom.Search:
		return fateMute
	case atom.Aside:
		if isCallout(a.class) || isFlow(n.PrevSibling, previous) && isFlow(n.NextSibling, next) {
			return fateLinks // a box in running text
		}
		return fateMute
	case atom.Header:
		if up&inSection == 0 {
			return fateDrop
		}
	case atom.Button:
		if up&inHeading == 0 && (up&inSection == 0 || a.opens == "" && !a.toggles) && !isOpener(n, a) {
			return fateMute
		}
	case atom.Form:
		return fateForm
	}
	return fateKeep
}

func fateByRole(role string, up where) fate {
	switch strings.ToLower(role) {
	case "navigation", "complementary", "contentinfo", "search", "dialog", "alertdialog", "menu", "menubar", "toolbar":
		return fateMute
	case "banner":
		if up&inSection == 0 {
			return fateDrop
		}
	}
	return fateKeep
}

// fateByName goes by the words in a class or id attribute.
func fateByName(names string, up where) fate {
	for name := range strings.FieldsSeq(strings.ToLower(names)) {
		if f := fateOfName(name, up); f != fateKeep {
			return f
		}
	}
	return fateKeep
}

func fateOfName(name string, up where) fate {
	switch name {
	case "skip-link", "skip-links", "skiplink", "skiplinks", "skip-to-content", "pagination", "pager",
		"addtoany", "addthis", "sharedaddy", "share-bar", "sharebar", "share-buttons", "share-links",
		"social-share", "social-sharing", "social-links", "social-media-links", "sharing", "sharing-buttons":
		return fateDrop
	case "menu", "submenu", "sidemenu", "nav", "navbar", "navigation", "topnav", "sidenav", "leftnav", "subnav",
		"mainnav", "main-nav", "main-menu", "share", "social", "tags", "toc", "table-of-contents", "tableofcontents":
		return fateLinks
	}
	if strings.HasPrefix(name, "related") || strings.HasPrefix(name, "relatere") {
		return fateDrop
	}
	if isConsent(name) || up&inMain == 0 && isFrameName(name) {
		return fateDrop
	}
	return fateKeep
}

// isFrameName knows the names that pages without sectioning elements give to
// what stands around the content.
func isFrameName(name string) bool {
	switch name {
	case "header", "site-header", "page-header", "main-header", "top-header", "masthead", "topbar", "top-bar",
		"sidebar", "side-bar", "left-sidebar", "right-sidebar", "widget-area", "colophon":
		return true
	}
	return strings.HasPrefix(name, "footer") || strings.HasSuffix(name, "footer")
}

// isConsent knows the names of the common consent tools, and those that sites
// make up for theirs.
func isConsent(name string) bool {
	for _, tool := range [...]string{"cybotcookiebot", "cookiebot", "onetrust", "coioverlay", "coi-banner", "usercentrics", "cmplz-", "didomi", "cc-window", "gdpr-", "consent-banner"} {
		if strings.HasPrefix(name, tool) {
			return true
		}
	}
	_, after, found := strings.Cut(name, "cookie")
	if !found {
		return false
	}
	for _, word := range [...]string{"banner", "consent", "notice", "bar", "law", "popup", "modal", "dialog", "overlay", "message", "box"} {
		if strings.Contains(after, word) {
			return true
		}
	}
	return false
}

// maxTrail tells a breadcrumb trail without links from a part of the page that is
// named after it, in bytes.
const maxTrail = 500

// drops decides at the end of an element whether it was furniture.
func (w *walker) drops(f *frame) bool {
	if f.fate < fateDrop || f.holds {
		return false
	}
	text := len(w.text.buf) - f.mark.bytes
	switch f.fate {
	case fateLinks:
		return 2*(w.found.links-f.mark.links) >= text-(len(w.text.spans)-f.mark.blocks)
	case fateTrail:
		return text <= maxTrail || 2*(w.found.links-f.mark.links) >= text
	case fateForm:
		return w.found.labels-f.mark.labels >= text-(len(w.text.spans)-f.mark.blocks)
	}
	return true
}
