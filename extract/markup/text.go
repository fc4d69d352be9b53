package markup

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Folder gathers text in one buffer, with single spaces and without control characters and invalid bytes.
type Folder struct {
	Buf   []byte
	Start int  // index in Buf at which the current block begins
	Space bool // write a space before the next character of the block
	Seen  int  // number of bytes passed to Write
	Bad   int  // number of control characters and invalid bytes passed to Write
}

// Write adds s to the current block, with spaces folded and bad characters left out.
func (f *Folder) Write(s string) {
	f.Seen += len(s)
	for i := 0; i < len(s); {
		if size := f.plain(s[i:]); size > 0 {
			if f.Space && len(f.Buf) > f.Start {
				f.Buf = append(f.Buf, ' ')
			}
			f.Space = false
			f.Buf = append(f.Buf, s[i:i+size]...)
			i += size
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			f.Space = true
		case isBad(r, size):
			f.Bad++
		}
		i += size
	}
}

// plain returns the length in bytes of the longest prefix of s that Write would not change.
func (f *Folder) plain(s string) int {
	for i := 0; i < len(s); {
		c := s[i]
		if c > ' ' && c < 0x7f || c == ' ' && i > 0 && i+1 < len(s) && s[i+1] > ' ' && s[i+1] < 0x7f {
			i++
			continue
		}
		if c < utf8.RuneSelf {
			return i
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r) || isBad(r, size):
			return i
		case strings.ContainsRune("\u00ad\u200b\u2060\ufeff", r): // soft hyphen, zero-width space, word joiner, BOM
			return i
		case r == utf8.RuneError:
			f.Bad++
		}
		i += size
	}
	return len(s)
}

func isBad(r rune, size int) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && size <= 1
}

// Clean returns s as one line, without control characters and invalid bytes, with single spaces.
func Clean(s string) string {
	var f Folder
	if f.plain(s) == len(s) {
		return s
	}
	f.Buf = make([]byte, 0, len(s))
	f.Write(s)
	return string(f.Buf)
}

// Clip cuts s to at most size bytes, at a character boundary, and trims spaces at the cut.
func Clip(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return strings.TrimRight(s[:size], " ")
}

const (
	maxNodes     = 5000
	maxNodeBytes = 64 << 10
)

// TextOf returns at most size bytes of the text under root, as one line. It visits at most 5,000 nodes.
func TextOf(root *html.Node, size int) string {
	var f Folder
	left := maxNodes
	f.gather(root, size, &left)
	return Clip(string(f.Buf), size)
}

func (f *Folder) gather(n *html.Node, size int, left *int) {
	if *left == 0 || len(f.Buf) > size {
		return
	}
	isRoot := *left == maxNodes
	*left--
	if n.Type == html.TextNode && !IsReference(n) {
		f.Write(Clip(n.Data, maxNodeBytes))
	}
	if n.FirstChild == nil {
		return
	}
	if a := AttrsOf(n); !isRoot && (KindOf(n).Is(Blank) || a.IsHidden(n)) {
		return
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		divides := c.Type == html.ElementNode && (!KindOf(c).Is(Inline) || c.DataAtom == atom.Br)
		f.Space = f.Space || divides && c != n.FirstChild
		f.gather(c, size, left)
		f.Space = f.Space || divides
	}
}

const maxDated = 120

// MayDate reports whether a short text may contain a date. Such a text has a year and a number of one or two
// digits, or three numbers of one or two digits.
func MayDate(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) < 4 || len(s) > maxDated || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	years, short, run := 0, 0, 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] >= '0' && s[i] <= '9' {
			run++
			continue
		}
		switch {
		case run == 1 || run == 2:
			short++
		case run == 4 && (s[i-4:i-2] == "19" || s[i-4:i-2] == "20"):
			years++
		}
		run = 0
	}
	return years > 0 && short > 0 || short > 2
}

// HasLetter reports whether s contains a letter of any script.
func HasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// Squeezed returns only the letters and digits of s, in lower case.
func Squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

const separators = "|│｜–—·•:»›«‹~"

// IsSeparator reports whether s begins with a sign that separates a page's title from the site's name. A
// hyphen or an underscore is such a sign before a letter from U+2E80 on, such as a Chinese one. Any other
// hyphen, and a slash, must have a space on both sides.
func IsSeparator(s string) bool {
	after := strings.TrimLeft(s, " ")
	r, size := utf8.DecodeRuneInString(after)
	next, _ := utf8.DecodeRuneInString(after[size:])
	switch {
	case strings.ContainsRune("-_", r) && next >= 0x2e80 && unicode.IsLetter(next):
		return true
	case strings.ContainsRune("-/", r):
		return len(after) < len(s) && next == ' '
	}
	return strings.ContainsRune(separators, r)
}

// TitlePart is a part of a title. Before is the separator in front of Text, with its spaces.
type TitlePart struct{ Before, Text string }

// PartsOf splits a title at its separators. Joining all Before and Text in order gives the title again.
func PartsOf(title string) (parts []TitlePart) {
	from, before := 0, ""
	for i := range title {
		if i <= from || title[i-1] == ' ' || !IsSeparator(title[i:]) {
			continue
		}
		after := strings.TrimLeft(title[i:], " ")
		_, size := utf8.DecodeRuneInString(after)
		parts = append(parts, TitlePart{before, title[from:i]})
		from = len(title) - len(strings.TrimLeft(after[size:], separators+" "))
		before = title[i:from]
	}
	return append(parts, TitlePart{before, title[from:]})
}

// Word is a set of flags for a word. Each flag stands for a list in words.txt that contains the word.
type Word uint32

// Flags of Word. The list of a flag contains texts of one of these kinds:
//
//   - Drop to Unseen, and Comment to Text: whole names of a class or ID
//   - Beside to Sure, Subject and Body: single words of a class or ID, such as "box" in "author-box"
//   - AsideHeading and Stories: first lines of a part of a page
//   - Home: texts of a breadcrumb, which is a link to a parent page
const (
	Drop         Word = 1 << iota // boilerplate: text that is not content, such as menus and share buttons
	DropLinks                     // boilerplate if at least half of the element's text is in links
	Frame                         // header, footer, sidebar or the like, if outside the main element
	Unseen                        // shown to screen readers only
	Beside                        // the name says what is beside the element, as in "with-sidebar"
	Talk                          // readers' comments
	Review                        // customers' reviews
	Doubtful                      // often, but not always, marks boilerplate
	Sure                          // always marks boilerplate
	AsideHeading                  // heading of a part that is boilerplate
	Stories                       // heading of a list of links to other articles
	Home                          // name of the site's home page in a breadcrumb trail
	Comment                       // a reader's comment: a date in it is not the page's date
	Event                         // an event: a date in it is not the page's date
	Text                          // container of the page's main text
	Subject                       // a kind of text, such as "article" or "post"
	Body                          // a container: after a Subject, as in "article-body", it marks the main text
)

//go:embed words.txt
var source string

var words, lists = parseWords(source)

func parseWords(source string) (map[string]Word, map[string][]string) {
	exact := map[string]Word{
		"drop": Drop, "links": DropLinks, "frame": Frame, "unseen": Unseen, "beside": Beside, "talk": Talk,
		"review": Review, "doubtful": Doubtful, "sure": Sure, "asideHeading": AsideHeading, "stories": Stories,
		"home": Home, "comment": Comment, "event": Event, "text": Text, "subject": Subject, "body": Body,
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

// WordOf returns the flags of a word, which must be in lower case. Unknown words have no flags.
func WordOf(word string) Word { return words[word] }

// Listed returns the entries of a list in words.txt.
func Listed(list string) []string { return lists[list] }

// HoldsAny reports whether s contains an entry of a list in words.txt, ignoring case.
func HoldsAny(s, list string) bool {
	s = strings.ToLower(s)
	return slices.ContainsFunc(lists[list], func(entry string) bool { return strings.Contains(s, entry) })
}

// BeginsAny reports whether s begins with an entry of a list in words.txt.
func BeginsAny(s, list string) bool {
	return slices.ContainsFunc(lists[list], func(entry string) bool { return strings.HasPrefix(s, entry) })
}
