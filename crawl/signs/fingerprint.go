package signs

import (
	"iter"
	neturl "net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
	"sitesync/internal/weburl"
)

const (
	mostWords = 4000 // of a page that count
	slack     = 3    // runs of words by which a page may differ: one word's worth
)

// NotFound is the fingerprint of a host's answer for pages that do not exist: its title
// and its runs of three words, as far as two such answers share them.
type NotFound struct {
	title  []string // its words
	titled bool     // both have that title
	runs   map[uint64]bool
	vary   int // runs by which the two answers differ
}

// NewNotFound returns the fingerprint of two answers; nil when they have too little in
// common to tell a third one by.
func NewNotFound(url string, root *html.Node, otherURL string, other *html.Node) *NotFound {
	first, second := ownRuns(url, root), ownRuns(otherURL, other)
	p := &NotFound{runs: map[uint64]bool{}, vary: max(len(first), len(second))}
	for hash := range first {
		if second[hash] {
			p.runs[hash] = true
		}
	}
	p.vary -= len(p.runs)
	if p.vary > max(slack, len(p.runs)/10) {
		return nil
	}
	p.title = without(titleOf(root), addressWords(url))
	p.titled = slices.Equal(p.title, without(titleOf(other), addressWords(otherURL)))
	return p
}

// ownRuns returns the runs of a page without those that repeat its address.
func ownRuns(url string, root *html.Node) map[uint64]bool {
	runs := map[uint64]bool{}
	for run, own := range textRuns(url, root) {
		if !own {
			runs[run] = true
		}
	}
	return runs
}

// Matches reports whether the page at url says what the host says of pages that do
// not exist, and nothing else. It stops at the first few words that are another
// page's, so that a page costs little.
func (p *NotFound) Matches(url string, root *html.Node) bool {
	if p == nil {
		return false
	}
	if own := addressWords(url); p.titled && !slices.Equal(without(titleOf(root), own), without(p.title, own)) {
		return false
	}
	met, extra := make(map[uint64]bool, len(p.runs)), map[uint64]bool{}
	for run, own := range textRuns(url, root) {
		switch {
		case p.runs[run]:
			met[run] = true
		case !own:
			extra[run] = true
			if len(extra) > p.vary+slack {
				return false
			}
		}
	}
	return len(met)+slack >= len(p.runs)
}

// textRuns yields the hashes of the runs of three words of what a page shows, of fewer
// words that run alone; and whether a word of the run stands in the page's own address,
// which such pages like to repeat.
func textRuns(url string, root *html.Node) iter.Seq2[uint64, bool] {
	own := addressWords(url)
	return func(yield func(uint64, bool) bool) {
		var words [3]uint64
		var mine [3]bool
		n := 0
		run := func() (uint64, bool) {
			return words[0]*31*31 + words[1]*31 + words[2], mine[0] || mine[1] || mine[2]
		}
		for word := range shownWords(root) {
			copy(words[:], words[1:])
			copy(mine[:], mine[1:])
			words[2], mine[2] = xxhash.Sum64String(word), own[word]
			n++
			if n > mostWords || n >= len(words) && !yield(run()) {
				return
			}
		}
		if n > 0 && n < len(words) {
			yield(run())
		}
	}
}

// shownWords yields the words of what a page shows below its head, in lower case,
// any number as 0: dates and counters differ.
func shownWords(root *html.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := root; n != nil; n = page.Next(root, n) {
			if n.Type != html.TextNode || page.Hidden(n.Parent) || n.Parent.DataAtom == atom.Title {
				continue
			}
			for word := range wordsOf(n.Data) {
				if !yield(word) {
					return
				}
			}
		}
	}
}

func wordsOf(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
			if strings.IndexFunc(word, unicode.IsLetter) < 0 {
				word = "0"
			}
			if !yield(strings.ToLower(word)) {
				return
			}
		}
	}
}

// addressWords returns the words of a URL's path and query.
func addressWords(url string) map[string]bool {
	own := map[string]bool{}
	text := weburl.Target(url)
	if plain, err := neturl.PathUnescape(text); err == nil {
		text = plain
	}
	for word := range wordsOf(text) {
		own[word] = true
	}
	return own
}

// titleOf returns the words of a page's title.
func titleOf(root *html.Node) []string {
	for n := root; n != nil; n = page.Next(root, n) {
		if n.DataAtom == atom.Title && n.FirstChild != nil {
			return slices.Collect(wordsOf(n.FirstChild.Data))
		}
	}
	return nil
}

// without returns the words that are not in own.
func without(words []string, own map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return own[word] })
}
