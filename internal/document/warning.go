package document

import "fmt"

// Kinds of warning. A run keeps the first 200 of each, and counts the others.
const (
	WarnBroken    = "broken-link" // leads to a page that is not there
	WarnNotLinked = "not-linked"
	WarnNotListed = "not-listed"
	WarnQueue     = "queue"    // what queue mode can't know, and what it can't do
	WarnLanguage  = "language" // pages name one language and read like another; in a Draft both stand behind it: "language:en:da"
	WarnRules     = "rules"    // why the documents differ whose rules changed
	WarnCut       = "cut"      // a document's text is cut at MaxText or MaxBlocks
	WarnTemplate  = "template" // a profile was learned, or learned anew, which changes documents
)

// Warning is something the site's owner should know.
type Warning struct {
	Kind string `json:"kind"`
	URL  string `json:"url"`
	Text string `json:"text"`
	More int    `json:"more,omitempty"` // it stands for so many of its kind that are not kept
}

// MoreWarnings returns the warning that stands for n others of a kind.
func MoreWarnings(kind string, n int) Warning {
	return Warning{Kind: kind, Text: fmt.Sprintf("and %s more of this kind", Number(n)), More: n}
}
