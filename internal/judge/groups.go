package judge

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"sitesync/internal/document"
)

// Where the brakes by groups begin.
const (
	groupDocuments = 20 // documents of a folder or type that can empty; a host can from the first on
	groupKnown     = 5  // known documents of a group that can be sick
)

// Group is what the brakes measure of one group of documents: a host, a folder of it
// or a type.
type Group struct {
	Name      string // https://www.example.com/, https://www.example.com/news/ or a type
	Host      bool   // it is a host
	Documents int    // that the index holds, or may hold
	Deletes   int    // due, without those that do not count
	Sickness  string // what its documents lost together, in words; empty: nothing
}

// Emptied reports whether more than half of the group's documents would go.
func (g Group) Emptied() bool {
	return (g.Host || g.Documents >= groupDocuments) && 2*g.Deletes > g.Documents
}

// Sick reports whether the group's documents lost together what they had.
func (g Group) Sick() bool { return g.Sickness != "" }

// first returns the first of a change's groups of which something is true.
func (d *Due) first(is func(Group) bool) (Group, bool) {
	for _, g := range d.Groups {
		if is(g) {
			return g, true
		}
	}
	return Group{}, false
}

// Figures compare the documents of a group that were read tonight with what the index
// holds of the same documents.
type Figures struct {
	known, worse, changed, foreign int
	was, now                       lengths // of their contents
	fields                         map[string]fill
}

// fill is how many documents have a field.
type fill struct{ was, now int }

const languageField = "Language"

// Count takes in one known URL that was judged. A page that shows again what the index
// held before says nothing about its group.
func (g *Figures) Count(f *Facts) {
	if f.Sighting.Seen != document.Read || !f.Sighting.Fetched || len(f.Record.Fields) == 0 || f.Returns() {
		return
	}
	g.known++
	fields, length := f.Record.Fields, f.Record.Length
	if f.Content != nil {
		fields, length = f.Content.Fields, f.Content.Length
		if !f.Delta.Same() {
			g.changed++
		}
		if len(f.Delta.Lost) > 0 || Collapsed(length, f.Record) {
			g.worse++
		}
	}
	if was, is := f.Record.Fields[languageField], fields[languageField]; !was.IsZero() && !is.IsZero() && was != is {
		g.foreign++
	}
	g.was[lengthBucket(f.Record.Length)]++
	g.now[lengthBucket(length)]++
	if g.fields == nil {
		g.fields = map[string]fill{}
	}
	for name := range f.Record.Fields {
		of := g.fields[name]
		of.was++
		if _, still := fields[name]; still {
			of.now++
		}
		g.fields[name] = of
	}
}

// Reset forgets what was counted.
func (g *Figures) Reset() {
	if g.known > 0 {
		*g = Figures{}
	}
}

const (
	medianFall = 2 // how many times shorter the middle content of a group is, when it is ill
	medianRise = 3 // or longer

	shareFall = 0.2 // of a field's share, that is no accident when it is lost
)

// Sickness says what the documents of a group lost together, with the figures; empty when
// that is nothing, or may be chance.
func (g *Figures) Sickness() string {
	if g.known < groupKnown || 5*g.changed < g.known {
		return ""
	}
	switch was, now := g.was.median(g.known), g.now.median(g.known); {
	case 2*g.worse > g.known:
		return document.Of(g.worse, g.known, "known document") + " that were read lost a field or four fifths of their text: more than half"
	case 2*g.foreign > g.known:
		return document.Of(g.foreign, g.known, "known document") + " that were read are in another language: more than half"
	case 2*g.changed > g.known && now*medianFall < was:
		return fmt.Sprintf("Content has %s in the middle of %s, and had %s: less than half", document.Count(now, "byte"), document.Count(g.known, "document"), document.Number(was))
	case 2*g.changed > g.known && now > was*medianRise:
		return fmt.Sprintf("Content has %s in the middle of %s, and had %s: more than three times as many", document.Count(now, "byte"), document.Count(g.known, "document"), document.Number(was))
	}
	why, n := "", float64(g.known)
	for name, of := range g.fields {
		mean := float64(of.was+of.now) / (2 * n)
		chance := 3 * math.Sqrt(mean*(1-mean)*2/n) // three standard errors of two samples
		text := fmt.Sprintf("%s is in %s, and was in %s", name, document.Of(of.now, g.known, "document"), document.Number(of.was))
		if float64(of.was-of.now)/n > max(shareFall, chance) && (why == "" || text < why) {
			why = text
		}
	}
	return why
}

// When changed pages that turn to one thing are no coincidence.
const (
	massPages  = 5  // a fifth of all changed pages, and so many at least
	massAnyway = 20 // or so many, and 1 % of their host's documents
)

// What a changed page may turn to, before the text's Body or the address.
const (
	toText = "text:"
	toPage = "to:"
)

// Turning is what changed pages turn to together.
type Turning struct {
	To        string // as Turned returns it
	Pages     int
	First     string // of the pages, in the order of URLs
	Documents int    // of the host of that page
}

// Mass reports whether that is no coincidence: a fifth of all changed pages turn to
// it, five at least; or 20 pages and 1 % of their host's documents.
func (t Turning) Mass(changed int) bool {
	return t.Pages >= massPages && 5*t.Pages >= changed || t.Pages >= massAnyway && 100*t.Pages >= t.Documents
}

// IsPage reports whether the pages turn to the address of a page.
func (t Turning) IsPage() bool { return strings.HasPrefix(t.To, toPage) }

// Body returns the text that the pages turn to; 0 where that is an address.
func (t Turning) Body() Body { return bodyIn(t.To) }

func bodyIn(to string) Body {
	text, _ := strings.CutPrefix(to, toText)
	body, _ := strconv.ParseUint(text, 16, 64)
	return Body(body)
}

// Near reports whether what a page turns to is the text of a mass of pages, give or take
// a few words.
func (t Turning) Near(to string) bool { return t.Body().Near(bodyIn(to)) }

// Turned reports whether a due change comes from a changed page, and returns what the page
// turns to. A known page has changed when it says something else than the index, or redirects
// for good. It turns to "text:" and the Body of its text, or to "to:" and the address of the
// page that it redirects to, and to that page's text. A folded page has changed when its text
// has, and turns to the page that it is folded into as well: a notice in place of all pages
// may name one of them as canonical, and tell each visitor another number. A new document
// turns to its text, and is not a changed page.
func Turned(f *Facts, c *document.Change) (changed bool, to []string) {
	if c.State != document.Planned || f.Returns() {
		return false, nil
	}
	body, fresh := Body(0), false
	if f.Content != nil {
		body = f.Content.Body
		fresh = f.Record == nil || f.Content.Sum != f.Record.Content
	}
	switch {
	case !f.Record.IsDocument(), f.Record.Type == "": // new, or its first call broke off
		return false, turnedText(body)
	case !fresh:
		body = 0
	}
	switch {
	case c.Cause == document.CauseRedirected:
		return true, append([]string{toPage + f.Target.URL}, turnedText(f.Target.Body)...)
	case c.Cause == document.CauseMoved:
		return true, []string{toPage + f.Target.URL}
	case c.Cause == document.CauseDuplicate && fresh:
		return true, append([]string{toPage + f.Target.URL}, turnedText(body)...)
	case c.Op != document.Delete && !f.Delta.Same():
		return true, turnedText(body)
	}
	return false, nil
}

func turnedText(body Body) []string {
	if body == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s%016x", toText, uint64(body))}
}

// Body stands for what a page says beside what is its own: a similarity hash (Charikar,
// "Similarity Estimation Techniques from Rounding Algorithms", STOC 2002) of the pairs of
// words of its content, without its title and headings, the words of its address, and
// whatever holds digits. One notice in place of many pages has one Body, also where it
// stands under each page's own heading or repeats its address. 0: it has no words.
type Body uint64

const (
	bodyBits = 8  // bits by which two Bodies of one notice differ, at most
	likeBits = 16 // of two that share more than half; random ones differ by 32
)

// Near reports whether two Bodies are those of one notice.
func (b Body) Near(other Body) bool {
	return b != 0 && other != 0 && bits.OnesCount64(uint64(b^other)) <= bodyBits
}

// Like reports whether two Bodies share more than half of what they say.
func (b Body) Like(other Body) bool {
	return b != 0 && other != 0 && bits.OnesCount64(uint64(b^other)) <= likeBits
}

// lengths count texts by the bucket of their length.
type lengths [256]int32

// lengthBucket returns the bucket of a length in bytes: one each up to 15, then eight to
// each doubling.
func lengthBucket(n int) byte {
	if n < 16 {
		return byte(n)
	}
	shift := bits.Len(uint(n)) - 4
	return byte(min(255, 8*shift+n>>shift))
}

// bucketLength returns the middle of a bucket.
func bucketLength(bucket int) int {
	if bucket < 16 {
		return bucket
	}
	shift := bucket/8 - 1
	return (8+bucket%8)<<shift + 1<<shift/2
}

// median returns the length in the middle of n texts, to about a sixteenth; 0 when n is 0.
func (l *lengths) median(n int) int {
	below := 0
	for bucket, count := range l {
		below += int(count)
		if 2*below >= n {
			return bucketLength(bucket)
		}
	}
	return 0
}
