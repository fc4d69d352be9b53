package markup

import (
	"regexp"

	"golang.org/x/net/html"
)

// maxLooks limits how many elements or bytes of text one selector may examine: about three seconds of work.
const maxLooks = 500_000_000

// looksBack matches the parts of a selector that compare each element with all its earlier siblings: "~", and
// formulas such as 2n+1, odd and even.
var looksBack = regexp.MustCompile(`~[^=]|(?i::nth-[a-z-]+\([^)]*(?:n|odd|even))`)

// looksIn matches the parts of a selector that search all text inside an element.
var looksIn = regexp.MustCompile(`(?i):(?:contains|matches)\(`)

// TooCostly says why a selector is rejected for which Costly is true, and what the owner can do.
const TooCostly = "would take too long on a page of such long lists, or of so much text so deep: " +
	"name the elements by class or ID, without ~, 2n+1, odd, even, :contains and :matches"

// Costly reports whether a selector would take far too long on a page. Two cases are costly: comparing
// siblings if an element has tens of thousands of children, and searching text if megabytes are nested
// deeply. Other selectors are never costly.
func Costly(root *html.Node, selector string) bool {
	siblings, texts := looksBack.MatchString(selector), looksIn.MatchString(selector)
	if !siblings && !texts {
		return false
	}
	looks, children, depth := 0, []int{0}, 0
	for n := root; n != nil && looks <= maxLooks; {
		switch {
		case n.Type == html.ElementNode && siblings:
			children[depth]++
			looks += children[depth]
		case n.Type == html.TextNode && texts:
			looks += depth * len(n.Data)
		}
		if n.FirstChild != nil {
			n, children, depth = n.FirstChild, append(children, 0), depth+1
			continue
		}
		for n != root && n.NextSibling == nil {
			n, children, depth = n.Parent, children[:depth], depth-1
		}
		if n == root {
			break
		}
		n = n.NextSibling
	}
	return looks > maxLooks
}
