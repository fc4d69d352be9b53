package content

import (
	"bytes"
	"net/url"
	"slices"

	readability "codeberg.org/readeck/go-readability"
	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/extract/markup"
)

// Bounds of what the article finder is given: it goes down by calling itself,
// and is slow on giants.
const (
	maxRefineNodes  = 10_000
	maxRefineDepth  = 100
	maxRefineSearch = 8 << 20 // bytes compared for blocks that it cut another way
	leastKept       = 70      // percent of the region that it must keep to be believed
)

// readArticle reads in copy, which it changes, what the article finder takes for the
// article. A fault in the finder costs the refinement, not the run.
func (w *walker) readArticle(copy *html.Node) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	finder := readability.NewParser()
	finder.DisableJSONLD = true
	found, err := finder.ParseAndMutate(copy, &url.URL{})
	if err != nil || found.Node == nil {
		return false
	}
	page := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	if parent := found.Node.Parent; parent != nil {
		parent.RemoveChild(found.Node)
	}
	page.AppendChild(found.Node)
	w.read(page, nil, nil, trustNone, false)
	return true
}

// leftOut returns the blocks of ranges that the article has not; headings stay. ok is
// false where the article has too little to be believed.
func (w *walker) leftOut(ranges []span, article *writer) (cuts []span, ok bool) {
	keep := make(map[uint64]bool, len(article.spans))
	for i := range article.spans {
		keep[xxhash.Sum64(article.block(i))] = true
	}
	heads := make(map[uint64]bool)
	for _, h := range w.found.Heads {
		heads[xxhash.Sum64String(markup.TextOf(h.Node, maxHead))] = true
	}
	all, kept, searched := 0, 0, 0
	for _, one := range ranges {
		for i := one.from; i < one.to; i++ {
			text := w.text.block(i)
			all += len(text)
			sum := xxhash.Sum64(text)
			if heads[sum] {
				continue
			}
			if !keep[sum] {
				searched += len(article.fold.Buf)
				if searched > maxRefineSearch {
					return nil, false
				}
				isLead := kept == 0 && len(text) >= leastProse && w.text.linked[i] == 0
				if !isLead && !bytes.Contains(article.fold.Buf, text) {
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
	left := maxRefineNodes
	for n := range root.Descendants() {
		if n.DataAtom == atom.Body {
			if !copyInto(top, n, 0, &left) {
				return nil
			}
			break
		}
	}
	return doc
}

// copyInto copies a node below a parent, while some are left. An ID made of a heading is
// left out: the article finder would take it for the name of furniture.
func copyInto(parent, n *html.Node, depth int, left *int) bool {
	if n.Type != html.TextNode && (n.Type != html.ElementNode || markup.KindOf(n).Is(markup.Blank)) {
		return true
	}
	*left--
	if *left < 0 || depth > maxRefineDepth {
		return false
	}
	c := &html.Node{Type: n.Type, Data: n.Data, DataAtom: n.DataAtom, Namespace: n.Namespace, Attr: slices.Clone(n.Attr)}
	if id := markup.Attr(n, "id"); id != "" && (markup.KindOf(n).Is(markup.Heading) || isSlug(n, id)) {
		c.Attr = slices.DeleteFunc(c.Attr, func(a html.Attribute) bool { return a.Key == "id" })
	}
	parent.AppendChild(c)
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if !copyInto(c, child, depth+1, left) {
			return false
		}
	}
	return true
}

// Bounds of a link that stands in each item of a list: "Reply", "Add to basket".
const (
	maxAction   = 40 // bytes
	leastAction = 3  // times
)

// withoutActions cuts out the blocks that are one short link which the page
// repeats.
func (t *writer) withoutActions(ranges []span) []span {
	actions := map[string][]span{}
	for _, r := range ranges {
		for i := r.from; i < r.to; i++ {
			if text := t.block(i); len(text) <= maxAction && t.linked[i] > 0 && t.linked[i]+3 >= len(text) {
				actions[string(text)] = append(actions[string(text)], span{i, i + 1})
			}
		}
	}
	var cuts []span
	size := 0
	for text, blocks := range actions {
		if len(blocks) >= leastAction {
			cuts, size = append(cuts, blocks...), size+len(blocks)*len(text)
		}
	}
	if len(cuts) == 0 || size*3 > t.size(ranges) {
		return ranges
	}
	slices.SortFunc(cuts, func(a, b span) int { return a.from - b.from })
	return subtract(ranges, cuts)
}
