package extract

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// shape is how an element breaks the text.
type shape int

const (
	shapeBlock  shape = iota // ends the block before and after it
	shapeInline              // breaks nothing
	shapeCell                // a table cell of running text: a space around it
	shapeNone                // holds no text for a reader
)

func shapeOf(n *html.Node) shape {
	if s := ownShape(n); s != shapeCell || !holdsBlock(n) {
		return s
	}
	return shapeBlock // a cell that lays out the page
}

func ownShape(n *html.Node) shape {
	if n.Namespace == "math" {
		return shapeInline
	}
	switch n.DataAtom {
	case atom.Template:
		if !slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "shadowrootmode" }) {
			return shapeNone
		} // else it is shown where it stands
	case atom.Script, atom.Style, atom.Noscript, atom.Svg, atom.Iframe, atom.Object, atom.Embed,
		atom.Applet, atom.Canvas, atom.Audio, atom.Video, atom.Select, atom.Textarea, atom.Datalist, atom.Input,
		atom.Title, atom.Meta, atom.Link, atom.Base, atom.Rp, atom.Progress, atom.Meter, atom.Img, atom.Wbr, atom.Noframes:
		return shapeNone
	case atom.A, atom.Abbr, atom.Acronym, atom.B, atom.Bdi, atom.Bdo, atom.Big, atom.Button, atom.Cite, atom.Code,
		atom.Data, atom.Del, atom.Dfn, atom.Em, atom.Font, atom.I, atom.Ins, atom.Kbd, atom.Label, atom.Mark,
		atom.Nobr, atom.Output, atom.Picture, atom.Q, atom.Rt, atom.Ruby, atom.S, atom.Samp, atom.Small, atom.Span,
		atom.Strike, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.Tt, atom.U, atom.Var, atom.Br:
		return shapeInline
	case atom.Td, atom.Th:
		return shapeCell
	}
	return shapeBlock
}

func holdsBlock(n *html.Node) bool {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && ownShape(c) == shapeBlock {
			return true
		}
	}
	return false
}

// isContainer reports whether an element may be the page's main region by
// weight alone.
func isContainer(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Article, atom.Main, atom.Form, atom.Td, atom.Center, atom.Body:
		return true
	}
	return false
}

// attrs are the attributes of an element that extraction asks for.
type attrs struct {
	class, id, role, style, label     string
	itemprop, itemtype                string
	datetime, content, name, property string
	equiv, kind, lang                 string
	opens                             string // IDs of what a click on it shows
	hidden, open, linked, toggles     bool
	local                             bool // links within the page
	excluded                          bool // by the owner's mark, with all it holds
	index                             index
}

// index is what an owner's mark says that can be revoked further inside.
type index int

const (
	indexAsAround index = iota
	indexOff
	indexOn
)

func attrsOf(n *html.Node) attrs {
	a := attrs{excluded: n.DataAtom == 0 && n.Data == "noindex"}
	for i := range n.Attr {
		key, val := n.Attr[i].Key, n.Attr[i].Val
		switch key {
		case "class":
			a.class = val
			a.excluded = a.excluded || strings.Contains(val, "robots-nocontent")
		case "id":
			a.id = val
		case "role":
			a.role = val
		case "style":
			a.style = val
		case "aria-label":
			a.label = val
		case "itemprop":
			a.itemprop = val
		case "itemtype":
			a.itemtype = val
		case "datetime":
			a.datetime = val
		case "content":
			a.content = val
		case "name":
			a.name = val
		case "property":
			a.property = val
		case "http-equiv":
			a.equiv = val
		case "type":
			a.kind = val
		case "lang", "xml:lang":
			a.lang = val
		case "hidden":
			a.hidden = val != "until-found"
		case "aria-hidden":
			a.hidden = a.hidden || val == "true"
		case "href":
			a.linked, a.local = true, strings.HasPrefix(val, "#") && len(val) > 1
		case "data-nosnippet", "data-pagefind-ignore":
			a.excluded = true
		case "data-elastic-exclude":
			a.index = indexOff
		case "data-elastic-include":
			a.index = indexOn
		case "data-swiftype-index":
			if a.index = indexOn; val == "false" {
				a.index = indexOff
			}
		case "aria-controls", "data-bs-target", "data-target":
			a.opens = val
		case "aria-expanded":
			a.toggles = true
		case "open":
			a.open = true
		}
	}
	return a
}
