package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// spaces maps the namespaces that a page may use (WHATWG Infra, section 8) to the names that html.Parse uses
// for them. A page without a namespace counts as HTML.
var spaces = map[string]string{
	"": "", "http://www.w3.org/1999/xhtml": "", "http://www.w3.org/1999/xlink": "xlink",
	"http://www.w3.org/2000/svg": "svg", "http://www.w3.org/1998/Math/MathML": "math",
	"http://www.w3.org/XML/1998/namespace": "xml",
}

// rawElements are the elements whose whole content HTML treats as one text.
var rawElements = []atom.Atom{atom.Script, atom.Style, atom.Noscript, atom.Iframe, atom.Noframes, atom.Noembed}

// parseXML returns the tree of an XHTML page (WHATWG HTML, section 14.2). The tree has the form that
// html.Parse gives it. parseXML errs if take, which reserves memory, errs. It also errs if the text is not
// well-formed, nests too deep, or has no body or frameset.
func parseXML(text []byte, take func(bytes int64) error) (*html.Node, error) {
	tags, attributes := bytes.Count(text, []byte("<")), bytes.Count(text, []byte("="))
	if err := take(perTag*int64(tags) + (perAttribute+perName)*int64(attributes)); err != nil {
		return nil, err
	}
	tokens := xml.NewDecoder(bytes.NewReader(text))
	tokens.Entity = xml.HTMLEntity
	// The text is already UTF-8, whatever its declaration says.
	tokens.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil }
	root := &html.Node{Type: html.DocumentNode}
	at, depth, isPage := root, 0, false
	for {
		token, err := tokens.Token()
		switch {
		case err == io.EOF && isPage:
			return root, nil
		case err != nil:
			return nil, err
		case depth > 512: // the same limit as in html.Parse
			return nil, errors.New("it nests too deep")
		}
		switch token := token.(type) {
		case xml.StartElement:
			n := elementOf(&token)
			at.AppendChild(n)
			if slices.Contains(rawElements, n.DataAtom) {
				from := tokens.InputOffset()
				_ = tokens.Skip() // the next Token returns this error again
				inner := string(text[from:tokens.InputOffset()])
				n.AppendChild(&html.Node{Type: html.TextNode, Data: inner[:max(0, strings.LastIndex(inner, "</"))]})
				break
			}
			at, depth, isPage = n, depth+1, isPage || n.DataAtom == atom.Body || n.DataAtom == atom.Frameset
		case xml.EndElement:
			at, depth = at.Parent, depth-1
		case xml.CharData:
			at.AppendChild(&html.Node{Type: html.TextNode, Data: string(token)})
		case xml.Comment:
			at.AppendChild(&html.Node{Type: html.CommentNode, Data: string(token)})
		}
	}
}

// elementOf returns the node for a start tag. An unknown namespace becomes part of the element's name.
func elementOf(start *xml.StartElement) *html.Node {
	space, known := spaces[start.Name.Space]
	n := &html.Node{Type: html.ElementNode, Namespace: space, Data: start.Name.Local}
	switch {
	case !known:
		n.Data = start.Name.Space + ":" + n.Data
	case space == "":
		n.Data = strings.ToLower(n.Data)
	}
	n.DataAtom = atom.Lookup([]byte(n.Data))
	for _, a := range start.Attr {
		if space, known := spaces[a.Name.Space]; known {
			n.Attr = append(n.Attr, html.Attribute{Namespace: space, Key: a.Name.Local, Val: a.Value})
		}
	}
	return n
}
