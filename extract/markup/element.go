package markup

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Kind is what an element is, by its name.
type Kind uint16

// The first four say how an element breaks the text; each has one of them.
const (
	Block     Kind = 1 << iota // ends the block before and after it
	Inline                     // breaks nothing
	Cell                       // a table cell: a space around it
	Blank                      // holds no text for a reader
	Container                  // may be the page's main region by weight alone
	List                       // may be a list of links
	Heading                    // of a part of the page
	Click                      // a heading that opens what follows, where a button stands in it
	Control                    // a box between the words around it
	Label                      // of a form
	Lines                      // preformatted
)

const breaking = Block | Inline | Cell | Blank

// KindOf returns what an element is.
func KindOf(n *html.Node) Kind {
	k := kindByName(n)
	switch {
	case n.Namespace == "math" && strings.HasPrefix(n.Data, "annotation"): // MathML Core, section 3.6: not rendered
		return Blank
	case n.Namespace == "math":
		return k&^breaking | Inline
	}
	return k
}

func kindByName(n *html.Node) Kind {
	switch n.DataAtom {
	case atom.Template: // with shadowrootmode it is shown where it stands
		if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "shadowrootmode" }) {
			return Block
		}
		return Blank
	case atom.Script, atom.Style, atom.Noscript, atom.Svg, atom.Iframe, atom.Object, atom.Embed, atom.Applet, atom.Canvas,
		atom.Audio, atom.Video, atom.Datalist, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Rp, atom.Progress,
		atom.Meter, atom.Img, atom.Noframes:
		return Blank
	case atom.Select, atom.Textarea, atom.Input:
		return Blank | Control
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data, atom.Del,
		atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Mark, atom.Nobr, atom.Output, atom.Picture, atom.Q,
		atom.Rt, atom.Ruby, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong, atom.Sub, atom.Sup,
		atom.Time, atom.Tt, atom.U, atom.Var, atom.Br, atom.Wbr:
		return Inline
	case atom.Button:
		return Inline | Control | Label
	case atom.Label:
		return Inline | Label
	case atom.Legend:
		return Block | Label
	case atom.Td:
		return Cell | Container
	case atom.Th:
		return Cell
	case atom.Div, atom.Section:
		return Block | Container | List
	case atom.Article, atom.Main, atom.Form, atom.Center, atom.Body:
		return Block | Container
	case atom.P, atom.Ul, atom.Ol, atom.Dl, atom.Table, atom.Aside:
		return Block | List
	case atom.Pre, atom.Listing, atom.Xmp:
		return Block | Lines
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Summary, atom.Dt:
		return Block | Heading | Click
	case atom.Caption:
		return Block | Heading
	}
	return Block
}

// Is reports whether an element is of any of the kinds.
func (k Kind) Is(any Kind) bool { return k&any != 0 }

// Attrs are the attributes that extraction asks for of every element.
type Attrs struct {
	Class, ID, Role, Style, Label, Itemprop, Itemtype, Lang string

	Opens                         string // IDs of what a click on it shows
	Hidden, Open, Linked, Toggles bool
	Excluded                      bool // by the owner's mark, with all it holds
	Off, On                       bool // by the owner's mark, which one further inside revokes
}

// MaxNames is how many bytes of a class, an ID or a style are looked at: a page is asked
// for those of every element, and of all around each of its dates.
const MaxNames = 2000

// AttrsOf returns the attributes of an element, names and style cut at MaxNames.
func AttrsOf(n *html.Node) Attrs {
	a := Attrs{Excluded: n.DataAtom == 0 && n.Data == "noindex"}
	for i := range n.Attr {
		key, val := n.Attr[i].Key, n.Attr[i].Val
		switch key {
		case "class":
			a.Class = Clip(val, MaxNames)
			a.Excluded = a.Excluded || strings.Contains(val, "robots-nocontent")
		case "id":
			a.ID = Clip(val, MaxNames)
		case "role":
			a.Role = val
		case "style":
			a.Style = Clip(val, MaxNames)
		case "aria-label":
			a.Label = val
		case "itemprop":
			a.Itemprop = val
		case "itemtype":
			a.Itemtype = val
		case "lang", "xml:lang":
			a.Lang = val
		case "hidden":
			a.Hidden = val != "until-found"
		case "aria-hidden":
			a.Hidden = a.Hidden || val == "true"
		case "href":
			a.Linked = true
		case "data-nosnippet", "data-pagefind-ignore":
			a.Excluded = true
		case "data-elastic-exclude":
			a.Off, a.On = true, false
		case "data-elastic-include":
			a.Off, a.On = false, true
		case "data-swiftype-index":
			a.Off, a.On = val == "false", val != "false"
		case "aria-controls", "data-bs-target", "data-target":
			a.Opens = val
		case "aria-expanded":
			a.Toggles = true
		case "open":
			a.Open = true
		}
	}
	return a
}

// Names returns the names in the class and the ID of an element, at most MaxNames bytes of
// each.
func Names(n *html.Node) string {
	return Clip(Attr(n, "class"), MaxNames) + " " + Clip(Attr(n, "id"), MaxNames)
}

// Attr returns one attribute of an element.
func Attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// IsHidden reports whether no reader sees the element.
func (a *Attrs) IsHidden(n *html.Node) bool {
	if a.Hidden || n.DataAtom == atom.Dialog && !a.Open {
		return true
	}
	style := strings.ToLower(a.Style)
	if !strings.Contains(style, "none") && !strings.Contains(style, "hidden") {
		return false
	}
	style = strings.Join(strings.Fields(style), "")
	return strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden")
}

// IsReference reports whether a text node is a mere sign that links within the
// page: to a heading itself, to a footnote or back.
func IsReference(n *html.Node) bool {
	return len(n.Data) <= 8 && n.Parent != nil && n.Parent.DataAtom == atom.A && !HasLetter(n.Data) && strings.HasPrefix(Attr(n.Parent, "href"), "#")
}

// IsLinked reports whether a heading is a link from its first word on, as the
// site's name is on top of its pages.
func IsLinked(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c.DataAtom == atom.A && AttrsOf(c).Linked
		}
		if c.Type == html.TextNode && strings.TrimSpace(c.Data) != "" {
			return false
		}
	}
	return false
}

// Found is what a page says of itself beside its content.
type Found struct {
	Lang, Title string
	Metas       []Meta
	Linked      []string // JSON-LD sources
	Heads       []Head
	Dates       []Date
	Crumbs      []*html.Node // what may be the breadcrumb trail
	Scripts     bool         // there is code that could make content
	Body        bool         // the body holds an element
	Articles    int          // beside each other
}

// Meta is a meta element; its name is in lower case.
type Meta struct{ Name, Content string }

// Head is a heading that readers see.
type Head struct {
	Node   *html.Node
	Text   string
	Own    bool // the page's: in the main part, or no link to the site's first page
	Linked bool // it is a link
	At     int  // bytes of text before it
	Block  int  // the block of the page's text it stands at
}

// Date is an element that gives a date, or a short text that may name one.
type Date struct {
	Node  *html.Node
	At    int    // bytes of text before it
	Block int    // the block it stands at; -1: outside of the content
	Text  string // of the block it stands at, where that is short
}

// Meta returns the content of the meta elements with that name: of the first that
// has some.
func (f *Found) Meta(name string) string {
	for i := range f.Metas {
		if f.Metas[i].Name == name {
			if value := Clean(f.Metas[i].Content); value != "" {
				return value
			}
		}
	}
	return ""
}
