package markup

import (
	"regexp"

	"golang.org/x/net/html"
)

// A selector may examine at most maxLooks elements or bytes of text, which takes about 3 seconds.
const maxLooks = 500_000_000

// looksBack matches the parts of a selector that compare an element with all earlier siblings: "~", and
// position formulas such as 2n+1, odd and even.
var looksBack = regexp.MustCompile(`~[^=]|(?i::nth-[a-z-]+\([^)]*(?:n|odd|even))`)

// looksIn matches the parts of a selector that search all text inside an element.
var looksIn = regexp.MustCompile(`(?i):(?:contains|matches)\(`)

// TooCostly is the error text for a selector for which Costly is true. It says how to change the selector.
const TooCostly = "would take too long on a page of such long lists, or of so much text so deep: " +
	"name the elements by class or ID, without ~, 2n+1, odd, even, :contains and :matches"

// Costly reports whether a selector would take too long on a page. Comparing siblings among tens of
// thousands of children is slow, and so is searching megabytes of deeply nested text.
func Costly(root *html.Node, selector string) bool {
	siblings, texts := looksBack.MatchString(selector), looksIn.MatchString(selector)
	if !siblings && !texts {
		return false
	}
	looks := 0
	var count func(parent *html.Node, depth int) // recursive, but html.Parse nests at most 512 elements
	count = func(parent *html.Node, depth int) {
		elements := 0
		for n := parent.FirstChild; n != nil && looks <= maxLooks; n = n.NextSibling {
			switch {
			case n.Type == html.ElementNode && siblings:
				elements++
				looks += elements
			case n.Type == html.TextNode && texts:
				looks += depth * len(n.Data)
			}
			count(n, depth+1)
		}
	}
	count(root, 1)
	return looks > maxLooks
}
