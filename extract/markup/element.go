package markup

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Kind is a set of flags for an element, derived from its name.
type Kind uint16

// Flags of Kind. The first four say how an element divides the text; each element has exactly one of them.
const (
	Block     Kind = 1 << iota // a block of text begins and ends with the element
	Inline                     // the element does not divide the text
	Cell                       // a table cell: a space separates it from other cells
	Blank                      // the element's text is not shown to readers
	Container                  // may be the page's main region if it contains most of the text
	List                       // may be a list of links
	Heading                    // heading of a part of the page
	Click                      // a heading that may contain a button to open the text below
	Control                    // a form control: separates the words before and after it
	Label                      // label of a form control
	Lines                      // preformatted text: each line is a block
)

const breaking = Block | Inline | Cell | Blank

// KindOf returns the flags of an element.
func KindOf(n *html.Node) Kind {
	k := kindByName(n)
	switch {
	// annotations are not rendered (MathML Core, section 3.6)
	case n.Namespace == "math" && strings.HasPrefix(n.Data, "annotation"):
		return Blank
	case n.Namespace == "math":
		return k&^breaking | Inline
	}
	return k
}

func kindByName(n *html.Node) Kind {
	switch n.DataAtom {
	// browsers render the content of a template that has the attribute shadowrootmode
	case atom.Template:
		if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "shadowrootmode" }) {
			return Block
		}
		return Blank
	case atom.Script, atom.Style, atom.Noscript, atom.Svg, atom.Iframe, atom.Object, atom.Embed, atom.Applet,
		atom.Canvas, atom.Audio, atom.Video, atom.Datalist, atom.Title, atom.Meta, atom.Link, atom.Base, atom.Rp,
		atom.Progress, atom.Meter, atom.Img, atom.Noframes:
		return Blank
	case atom.Select, atom.Textarea, atom.Input:
		return Blank | Control
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Cite, atom.Code, atom.Data,
		atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Mark, atom.Nobr, atom.Output,
		atom.Picture, atom.Q, atom.Rt, atom.Ruby, atom.S, atom.Samp, atom.Small, atom.Span, atom.Strike, atom.Strong,
		atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Br, atom.Wbr:
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

// Is reports whether k has any of the given flags.
func (k Kind) Is(any Kind) bool { return k&any != 0 }

// Attrs are the attributes that extraction needs from every element.
type Attrs struct {
	Class, ID, Role, Style, Label, Itemprop, Itemtype, Lang string

	Opens                         string // IDs of the elements that a click on this element shows
	Hidden, Open, Linked, Toggles bool
	Excluded                      bool // an attribute or the tag noindex excludes the element's content
	// An attribute switches indexing of this element's content off or on. An inner element wins.
	Off, On bool
}

// MaxNames limits the bytes of a class, an ID or a style that are examined, since each is read many times.
const MaxNames = 2000

// AttrsOf returns the attributes of an element. Class, ID and style are cut at MaxNames bytes.
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

// Names returns the class and the ID of an element, each cut at MaxNames bytes.
func Names(n *html.Node) string {
	return Clip(Attr(n, "class"), MaxNames) + " " + Clip(Attr(n, "id"), MaxNames)
}

// Attr returns an attribute of an element, or "" if the element does not have it.
func Attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name && a.Namespace == "" {
			return a.Val
		}
	}
	return ""
}

// IsHidden reports whether browsers hide the element: by attribute, by inline style, or as a closed dialog.
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

// IsReference reports whether n is the text of a short link to a place on the same page and has no letters.
// Examples are a heading's anchor and a footnote number.
func IsReference(n *html.Node) bool {
	isShort := len(n.Data) <= 8 && n.Parent != nil && n.Parent.DataAtom == atom.A && !HasLetter(n.Data)
	return isShort && strings.HasPrefix(Attr(n.Parent, "href"), "#")
}

// IsLinked reports whether a heading begins with a link, as the site's name in a page header often does.
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

// Found is the metadata of a page, and nodes of its tree that may hold values for document fields.
type Found struct {
	Lang, Title string
	Metas       []Meta
	Linked      []string // texts of the JSON-LD scripts
	Heads       []Head
	Dates       []Date
	Crumbs      []*html.Node // elements that may be the breadcrumb trail (links to the parent pages)
	Scripts     bool         // the page has a script other than JSON-LD, which may create content
	Body        bool         // the body contains an element
	Articles    int          // number of articles, not counting articles inside another one
}

// Meta is a meta element. Name is in lower case.
type Meta struct{ Name, Content string }

// Head is a visible heading.
type Head struct {
	Node   *html.Node
	Text   string
	Own    bool // false for a linked heading outside the page's main part, which may be the site's name
	Linked bool // the heading is a link or is inside one
	At     int  // bytes of page text before the heading
	Block  int  // index of the text block where the heading begins
}

// Date is an element that gives a date, or a short text node that may contain one.
type Date struct {
	Node  *html.Node
	At    int    // bytes of page text before the date
	Block int    // index of the text block with the date; -1: outside the content
	Text  string // text of that block, if it is short; otherwise empty
}

// Meta returns the cleaned content of the first meta element named name whose content is not empty.
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
