package markup

import (
	_ "embed"
	"slices"
	"strings"
)

// Word is what the table of words says of a name in class or id, of a word within
// one, or of a line of text.
type Word uint16

// The first four are said of whole names, the next four of words within names, the
// next two of the first lines of a part of the page.
const (
	Drop         Word = 1 << iota // furniture
	DropLinks                     // furniture, if it is mostly links
	Frame                         // stands around the content, on pages without sectioning elements
	Unseen                        // said by screen readers alone
	Beside                        // the name says what stands beside a wrapper, or is missing
	Talk                          // readers' comments
	Doubtful                      // furniture has such names
	Sure                          // nothing but furniture has such names
	AsideHeading                  // stands beside the content
	LinksHeading                  // a list of links
	Home                          // the site's first page in a breadcrumb trail
	Comment                       // readers' comments, which have dates of their own
	Event                         // a date of an event
)

//go:embed words.txt
var source string

var words, lists = parseWords(source)

// parseWords returns what is said of each word, and all lists by their names.
func parseWords(source string) (map[string]Word, map[string][]string) {
	exact := map[string]Word{
		"drop": Drop, "links": DropLinks, "frame": Frame, "unseen": Unseen, "beside": Beside, "talk": Talk, "doubtful": Doubtful,
		"sure": Sure, "asideHeading": AsideHeading, "linksHeading": LinksHeading, "home": Home, "comment": Comment, "event": Event,
	}
	said, all := map[string]Word{}, map[string][]string{}
	for line := range strings.Lines(source) {
		name, entries, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for entry := range strings.SplitSeq(entries, "; ") {
			all[name] = append(all[name], entry)
			said[entry] |= exact[name]
		}
	}
	return said, all
}

// WordOf returns what the table says of a word.
func WordOf(word string) Word { return words[word] }

// Listed returns the entries of a list of the table.
func Listed(list string) []string { return lists[list] }

// HoldsAny reports whether s, in lower case, holds an entry of a list.
func HoldsAny(s, list string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(lists[list], func(entry string) bool { return strings.Contains(s, entry) })
}

// BeginsAny reports whether s begins with an entry of a list.
func BeginsAny(s, list string) bool {
	return slices.ContainsFunc(lists[list], func(entry string) bool { return strings.HasPrefix(s, entry) })
}
