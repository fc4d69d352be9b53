package markup

import (
	"regexp"

	"golang.org/x/net/html"
)

// maxLooks bounds how often a selector looks at an element, or at a byte of text: about
// three seconds.
const maxLooks = 500_000_000

// looksBack matches what a selector says of siblings where each element is compared with all
// before it: "~", and formulas such as 2n+1, odd and even.
var looksBack = regexp.MustCompile(`~[^=]|(?i::nth-[a-z-]+\([^)]*(?:n|odd|even))`)

// looksIn matches what a selector says of all text in an element.
var looksIn = regexp.MustCompile(`(?i):(?:contains|matches)\(`)

// TooCostly says why a selector that is Costly is not used, and what the owner can do.
const TooCostly = "would take too long on a page of such long lists, or of so much text so deep: " +
	"name the elements by class or ID, without ~, 2n+1, odd, even, :contains and :matches"

// Costly reports whether a page would take a selector out of all proportion long: one that
// compares siblings on a page where an element holds tens of thousands, or one that looks
// into text where megabytes of it are nested deep. Long lists alone cost nothing.
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
