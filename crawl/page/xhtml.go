package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// mediaXHTML is the media type of a page that is XML.
const mediaXHTML = "application/xhtml+xml"

// mostNested is how deep elements may nest, as in html.Parse.
const mostNested = 512

// Namespaces of what may stand in a page (WHATWG Infra, section 8).
const (
	inHTML  = "http://www.w3.org/1999/xhtml"
	inSVG   = "http://www.w3.org/2000/svg"
	inMath  = "http://www.w3.org/1998/Math/MathML"
	inXLink = "http://www.w3.org/1999/xlink"
	inXML   = "http://www.w3.org/XML/1998/namespace"
)

var errNoXHTML = errors.New("it is no XHTML page")

// xmlReader makes the tree that html.Parse would make of a page, of well-formed XML.
type xmlReader struct {
	text   []byte
	tokens *xml.Decoder
	at     *html.Node // the innermost element that is open
	depth  int
}

// parseXML returns the tree of an XHTML page (WHATWG HTML, section 14.2), with the entities of
// HTML. It errs where the text is not well-formed, or is no page: browsers show a fault then.
// take is asked for the memory of the tree, and may refuse it.
func parseXML(text []byte, take func(bytes int64) error) (*html.Node, error) {
	tags, attributes := bytes.Count(text, []byte("<")), bytes.Count(text, []byte("="))
	if err := take(perTag*int64(tags) + (perAttribute+perName)*int64(attributes)); err != nil {
		return nil, err
	}
	root := &html.Node{Type: html.DocumentNode}
	x := &xmlReader{text: text, tokens: xml.NewDecoder(bytes.NewReader(text)), at: root}
	x.tokens.Entity = xml.HTMLEntity
	x.tokens.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil } // it is UTF-8 by now
	for {
		token, err := x.tokens.Token()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = x.add(token)
		}
		if err != nil {
			return nil, err
		}
	}
	for c := root.FirstChild; c != nil; c = c.NextSibling {
		for part := c.FirstChild; c.DataAtom == atom.Html && part != nil; part = part.NextSibling {
			if part.DataAtom == atom.Body || part.DataAtom == atom.Frameset {
				return root, nil
			}
		}
	}
	return nil, errNoXHTML
}

func (x *xmlReader) add(token xml.Token) error {
	switch token := token.(type) {
	case xml.StartElement:
		n := elementOf(&token)
		if x.depth++; x.depth > mostNested || x.at.Type == html.DocumentNode && x.at.LastChild != nil && n.DataAtom != atom.Html {
			return errNoXHTML
		}
		x.at.AppendChild(n)
		x.at = n
		return x.addRaw(n)
	case xml.EndElement:
		x.at = x.at.Parent
		x.depth--
	case xml.CharData:
		if x.at.Type == html.ElementNode {
			x.at.AppendChild(&html.Node{Type: html.TextNode, Data: string(token)})
		}
	case xml.Comment:
		x.at.AppendChild(&html.Node{Type: html.CommentNode, Data: string(token)})
	}
	return nil
}

// addRaw adds what is in an element that has no elements in HTML, up to its end, as the one
// text that html.Parse makes of it.
func (x *xmlReader) addRaw(n *html.Node) error {
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Noscript, atom.Iframe, atom.Noframes, atom.Noembed:
	default:
		return nil
	}
	from := x.tokens.InputOffset()
	if err := x.tokens.Skip(); err != nil {
		return err
	}
	inner := x.text[from:x.tokens.InputOffset()]
	text := string(inner[:max(0, bytes.LastIndex(inner, []byte("</")))])
	if (n.DataAtom == atom.Script || n.DataAtom == atom.Style) && !strings.Contains(text, "<![CDATA[") {
		text = html.UnescapeString(text)
	}
	if text != "" {
		n.AppendChild(&html.Node{Type: html.TextNode, Data: text})
	}
	x.at = n.Parent
	x.depth--
	return nil
}

// elementOf returns an element by its namespace. One of none counts as HTML, one of an unknown
// namespace has that before its name.
func elementOf(start *xml.StartElement) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: start.Name.Local}
	switch start.Name.Space {
	case "", inHTML:
		n.Data = strings.ToLower(n.Data)
	case inSVG:
		n.Namespace = "svg"
	case inMath:
		n.Namespace = "math"
	default:
		n.Data = start.Name.Space + ":" + n.Data
	}
	n.DataAtom = atom.Lookup([]byte(n.Data))
	for _, a := range start.Attr {
		switch a.Name.Space {
		case "":
			n.Attr = append(n.Attr, html.Attribute{Key: a.Name.Local, Val: a.Value})
		case inXML:
			n.Attr = append(n.Attr, html.Attribute{Key: "xml:" + a.Name.Local, Val: a.Value})
		case inXLink:
			n.Attr = append(n.Attr, html.Attribute{Namespace: "xlink", Key: a.Name.Local, Val: a.Value})
		}
	}
	return n
}
