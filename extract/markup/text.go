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

// Folder gathers text in one buffer: white space folded, control characters and
// invalid bytes left out. The zero value is ready.
type Folder struct {
	Buf   []byte
	Start int  // where the open block begins in Buf: no space before it
	Space bool // white space is due before the next character
	Seen  int  // bytes that came in
	Bad   int  // characters among them that no text has
}

// Write adds text to the open block.
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
		case unicode.IsSpace(r): // NBSP, NEL and the line separators too
			f.Space = true
		case isBad(r, size):
			f.Bad++
		}
		i += size
	}
}

// plain returns how many bytes at the beginning of s are text as it stands:
// words, and single spaces between them.
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
		case r == 0xad || r == 0x200b || r == 0x2060 || r == 0xfeff: // soft hyphen, zero-width space, word joiner, BOM
			return i
		case r == utf8.RuneError:
			f.Bad++
		}
		i += size
	}
	return len(s)
}

// isBad reports whether no text has a character.
func isBad(r rune, size int) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError && size <= 1
}

// Clean folds s into one line as a Folder does.
func Clean(s string) string {
	var f Folder
	if f.plain(s) == len(s) {
		return s
	}
	f.Buf = make([]byte, 0, len(s))
	f.Write(s)
	return string(f.Buf)
}

// Clip cuts s to at most size bytes on a rune boundary.
func Clip(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for size > 0 && !utf8.RuneStart(s[size]) {
		size--
	}
	return strings.TrimRight(s[:size], " ")
}

// Bounds on what TextOf visits: nodes, and so how deep it goes, and bytes of each text.
const (
	maxNodes = 5000
	maxPiece = 64 << 10
)

// TextOf returns the text under one small node: at most size bytes of it, and that of
// the first 5,000 nodes.
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
		f.Write(Clip(n.Data, maxPiece))
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

// maxDated is the most bytes of a text that names the day of a page.
const maxDated = 120

// MayDate reports whether a short text may name a day: it holds a year and a number for a
// day, or three such numbers.
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

// HasLetter reports whether s holds a letter.
func HasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// Squeezed returns the letters and digits of a name, in lower case.
func Squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

const separators = "|│｜–—·•:»›«‹~"

// IsSeparator reports whether s begins with what divides a page's name from its
// site's. A hyphen or a slash divides only between spaces, a hyphen or an underscore also
// before a script that has none.
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

// TitlePart is a part of a title, and the separator before it with its spaces.
type TitlePart struct{ Before, Text string }

// PartsOf divides a title at its separators. The parts are all of it.
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

// Word is what the table of words says of a name in class or id, of a word within
// one, or of a line of text.
type Word uint32

// The first four are said of whole names, the next five of words within names, the
// next two of the first line of a part of the page, the last three of names again.
const (
	Drop         Word = 1 << iota // furniture
	DropLinks                     // furniture, if it is mostly links
	Frame                         // stands around the content, on pages without sectioning elements
	Unseen                        // said by screen readers alone
	Beside                        // the name says what stands beside a wrapper, or is missing
	Talk                          // readers' comments
	Review                        // customers' reviews of a product
	Doubtful                      // furniture has such names
	Sure                          // nothing but furniture has such names
	AsideHeading                  // stands beside the content
	Stories                       // stands before a list of other stories
	Home                          // the site's first page in a breadcrumb trail
	Comment                       // readers' comments, which have dates of their own
	Event                         // a date of an event
	Text                          // the container of the page's text
	Subject                       // what a text is called
	Body                          // what its container is called, behind that
)

//go:embed words.txt
var source string

var words, lists = parseWords(source)

func parseWords(source string) (map[string]Word, map[string][]string) {
	exact := map[string]Word{
		"drop": Drop, "links": DropLinks, "frame": Frame, "unseen": Unseen, "beside": Beside, "talk": Talk, "review": Review, "doubtful": Doubtful,
		"sure": Sure, "asideHeading": AsideHeading, "stories": Stories, "home": Home, "comment": Comment, "event": Event,
		"text": Text, "subject": Subject, "body": Body,
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
