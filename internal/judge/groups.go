package judge

import "sitesync/internal/document"

// Where the brakes by groups begin.
const (
	groupDocuments = 20 // documents of a group that can empty
	groupKnown     = 5  // known documents of a group that can be sick
)

// Group is what the brakes measure of one group of documents: a host, a folder of it
// or a type.
type Group struct {
	Name      string // https://www.example.com/, https://www.example.com/news/ or a type
	Documents int    // that the index holds, or may hold
	Deletes   int    // due, without those that do not count
	Known     int    // documents that were read in this run, and of which the ledger knows what the index holds
	Worse     int    // of those, by Worse
}

// Emptied reports whether more than half of the group's documents would go.
func (g Group) Emptied() bool { return g.Documents >= groupDocuments && 2*g.Deletes > g.Documents }

// Sick reports whether more than half of the group's documents lost what they had.
func (g Group) Sick() bool { return g.Known >= groupKnown && 2*g.Worse > g.Known }

// Count takes one known URL in that was judged.
func (g *Group) Count(f *Facts, c *document.Change, l Limits) {
	if c != nil && c.State == document.Planned && Counts(c, f.Record.Born, l) {
		g.Deletes++
	}
	if f.Sighting.Seen == document.Read && f.Sighting.Fetched && len(f.Record.Fields) > 0 {
		g.Known++
		if Worse(f) {
			g.Worse++
		}
	}
}

// first returns the first of a change's groups of which something is true.
func (d *Due) first(is func(Group) bool) (Group, bool) {
	for _, g := range d.Groups {
		if is(g) {
			return g, true
		}
	}
	return Group{}, false
}

// massPages is how many changed pages that turn to one thing may be a coincidence,
// plus one.
const massPages = 5

// What a changed page may turn to, before the text's hash or the address.
const (
	toText = "text:"
	toPage = "to:"
)

// Turning is what changed pages turn to together.
type Turning struct {
	To    string // as Turned returns it
	Pages int
	First string // of the pages, in the order of URLs
}

// Mass reports whether that is no coincidence: a fifth of all changed pages turn to
// it, and five at least.
func (t Turning) Mass(changed int) bool { return t.Pages >= massPages && 5*t.Pages >= changed }

// Turned returns whether the due change of a known document is that of a changed page,
// one that says something else than the index or that redirects for good, and what it
// turns to: "text:" and the hash of its text, or "to:" and the address of the page it
// redirects to. A page that moves turns to the text it has there: each page may be sent
// to a notice of its own. One that is folded into another has changed when its text has,
// and turns to that page as well: a notice that stands in place of all pages may name
// one of them as canonical, and tell each visitor another number.
func Turned(f *Facts, c *document.Change) (changed bool, to []string) {
	if c.State != document.Planned || !f.Record.IsDocument() {
		return false, nil
	}
	var sum document.Hash
	if f.Content != nil {
		sum = f.Content.Sum
	}
	fresh := f.Content != nil && sum != f.Record.Content
	switch {
	case c.Cause == document.CauseRedirected:
		return true, []string{toPage + f.Target.URL}
	case c.Cause == document.CauseMoved:
		return true, turnedText(f.Record, f.Target.Sum)
	case c.Cause == document.CauseDuplicate && fresh:
		return true, append(turnedText(f.Record, sum), toPage+f.Target.URL)
	case c.Op != document.Delete && !f.Delta.Same():
		return true, turnedText(f.Record, sum)
	}
	return false, nil
}

// turnedText returns what a page turns to whose text is another one now.
func turnedText(rec *document.Record, sum document.Hash) []string {
	if sum.IsZero() || sum == rec.Content {
		return nil
	}
	return []string{toText + sum.String()[:16]}
}
