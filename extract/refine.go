package extract

import (
	"bytes"
	"net/url"
	"slices"

	readability "codeberg.org/readeck/go-readability"
	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of what the article finder is given: it goes down by calling itself,
// and is slow on giants.
const (
	maxRefineNodes  = 10_000
	maxRefineDepth  = 100
	maxRefineSearch = 8 << 20 // bytes compared for blocks that it cut another way
)

// leastKept is the share of the region, in percent, that an article finder must
// keep to be believed.
const leastKept = 70

// refine takes out of an article's region the blocks that an article finder
// leaves out, where it agrees on the most. It never adds any.
func (e *Extractor) refine(w *walker, root *html.Node, ranges []span) []span {
	body := copyBody(root)
	if body == nil {
		return ranges
	}
	r := e.walkers.Get().(*walker)
	defer e.release(r)
	if !r.readArticle(body) {
		return ranges
	}
	cuts, ok := w.leftOut(ranges, r)
	if !ok {
		return ranges
	}
	return subtract(ranges, cuts)
}

// readArticle reads what the article finder takes for the article. A fault in it
// costs the refinement, not the run.
func (w *walker) readArticle(body *html.Node) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	finder := readability.NewParser()
	finder.DisableJSONLD = true
	found, err := finder.ParseAndMutate(body, &url.URL{})
	if err != nil || found.Node == nil {
		return false
	}
	page := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	if parent := found.Node.Parent; parent != nil {
		parent.RemoveChild(found.Node)
	}
	page.AppendChild(found.Node)
	w.reset()
	w.trust = trustNone
	w.walk(page)
	return true
}

// leftOut returns the blocks that r has not; headings stay. ok is false where r
// has too little to be believed.
func (w *walker) leftOut(ranges []span, r *walker) (cuts []span, ok bool) {
	keep := make(map[uint64]bool, len(r.text.spans))
	for _, s := range r.text.spans {
		keep[xxhash.Sum64(r.text.buf[s.from:s.to])] = true
	}
	heads := make(map[uint64]bool)
	for _, h := range w.found.heads {
		heads[xxhash.Sum64String(textOf(h.node, maxTitle))] = true
	}
	all, kept, searched := 0, 0, 0
	for _, one := range ranges {
		for i := one.from; i < one.to; i++ {
			s := w.text.spans[i]
			text := w.text.buf[s.from:s.to]
			all += len(text)
			sum := xxhash.Sum64(text)
			if heads[sum] {
				continue
			}
			if !keep[sum] {
				if searched += len(r.text.buf); searched > maxRefineSearch {
					return nil, false
				}
				lead := kept == 0 && len(text) >= leastProse && w.text.linked[i] == 0
				if !lead && !bytes.Contains(r.text.buf, text) {
					cuts = append(cuts, span{i, i + 1})
					continue
				}
			}
			kept += len(text)
		}
	}
	return cuts, kept*100 >= all*leastKept
}

// copyBody returns a document with a copy of the page's body, without what holds
// no text; nil where it is too large or too deep.
func copyBody(root *html.Node) *html.Node {
	doc := &html.Node{Type: html.DocumentNode}
	top := &html.Node{Type: html.ElementNode, Data: "html", DataAtom: atom.Html}
	doc.AppendChild(top)
	into, depth, count := top, 0, 0
	for n := bodyOf(root); n != nil; {
		down := false
		if n.Type == html.TextNode || n.Type == html.ElementNode && ownShape(n) != shapeNone {
			if count++; count > maxRefineNodes || depth > maxRefineDepth {
				return nil
			}
			c := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace, Attr: attrsFor(n)}
			into.AppendChild(c)
			if n.FirstChild != nil {
				into, down = c, true
			}
		}
		if down {
			n, depth = n.FirstChild, depth+1
			continue
		}
		for depth > 0 && n.NextSibling == nil {
			n, into, depth = n.Parent, into.Parent, depth-1
		}
		if depth == 0 {
			break
		}
		n = n.NextSibling
	}
	return doc
}

// attrsFor returns a copy of the attributes of an element without an ID made of its
// heading, which the article finder would take for the name of furniture.
func attrsFor(n *html.Node) []html.Attribute {
	attrs := slices.Clone(n.Attr)
	if id := attrOf(n, "id"); id != "" && (isHeading(n) || isSlug(n, id)) {
		attrs = slices.DeleteFunc(attrs, func(a html.Attribute) bool { return a.Key == "id" })
	}
	return attrs
}

func bodyOf(root *html.Node) *html.Node {
	for n := root.FirstChild; n != nil; n = n.NextSibling {
		if n.DataAtom == atom.Body {
			return n
		}
		if n.DataAtom == atom.Html {
			return bodyOf(n)
		}
	}
	return nil
}
